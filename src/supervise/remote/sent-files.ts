import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../../base/error.ts";
import type { SendList } from "../../sync/send/send-list.ts";
import { loadSendList, saveSendList } from "../../sync/send/send-list-file.ts";
import type { Desk } from "../desk.ts";
import { findPlanFolder } from "../plan-variables.ts";

/** Keeps the list of all that a plan sends: too long for the plan itself. */
export function saveSend(desk: Desk, planId: string, list: SendList): void {
  mkdirSync(findPlanFolder(desk, planId), { recursive: true, mode: 0o700 });
  saveSendList(findFile(desk, planId), list);
}

/** @throws plan_stale when it is gone, or is not the one that was shown */
export function loadSend(desk: Desk, planId: string, hash: string): SendList {
  try {
    const list = loadSendList(findFile(desk, planId));
    if (list.hash === hash) return list;
  } catch (fault) {
    if (!(fault instanceof SortieError) || fault.code !== "send_list_damaged") throw fault;
  }
  throw new SortieError("plan_stale", { plan: planId, changes: "the list of what it sends is gone" });
}

function findFile(desk: Desk, planId: string): string {
  return join(findPlanFolder(desk, planId), "send.jsonl");
}
