import { describeFault, SortieError } from "../../../base/error.ts";
import { changeRun, loadRun } from "../../../runs/run-store.ts";
import type { Desk } from "../../desk.ts";
import { syncRuns } from "../sync-runs.ts";
import { type DueForward, listDueForwards, preferProgram, removeForward } from "./forward-list.ts";
import { forwardRun } from "./forward-run.ts";

/**
 * Forwards the numbers of runs that are home, one after the other, and sends those that were to be online. What fails is noted on
 * the run and left to `sortie wandb sync`.
 */
export async function forwardDue(desk: Desk): Promise<void> {
  for (const due of listDueForwards(desk)) {
    const reason = await forwardOne(preferProgram(desk, due.program), due).catch(describeReason);
    if (desk.leaving?.aborted) return; // the next watcher takes it up
    if (reason !== null) note(desk, due, reason);
    removeForward(desk, due.run.id);
  }
}

/** null: it is where it is to be. */
async function forwardOne(desk: Desk, { run }: DueForward): Promise<string | null> {
  const rows = await forwardRun(desk, run.id);
  if (run.startedAt === null) return null;
  if (rows === 0) return "its log holds no numbers";
  if (run.wandb?.mode !== "online") return null;
  const synced = await syncRuns(desk, [run.id]);
  return synced.find(({ state }) => state === "failed")?.reason ?? null;
}

/** As a part of a sentence. */
function describeReason(fault: unknown): string {
  const isOwn = fault instanceof SortieError && fault.code === "wandb_forward_failed";
  return (isOwn ? String(fault.details["reason"]) : describeFault(fault)).replace(/\.$/, "");
}

function note(desk: Desk, { run }: DueForward, reason: string): void {
  const { notes, wandb } = loadRun(desk.store, run.id);
  const what = wandb?.rows === undefined ? "its numbers were not forwarded" : "its numbers were not sent";
  const next = wandb?.rows === 0 ? "" : `; \`sortie wandb sync ${run.name}\` does it`;
  changeRun(desk.store, run.id, { notes: [...notes, `W&B: ${what}: ${reason}${next}`] });
}
