import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../../base/error.ts";
import { writeFileAtomic } from "../../disk/atomic-file.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { MOST_TIMEOUT_S } from "../../targets/modal/modal-wish.ts";
import { nameApp } from "../../targets/modal/name-run.ts";
import { makeRunArguments } from "../../targets/modal/run-modal.ts";
import type { Desk } from "../desk.ts";
import type { Plan } from "../plan.ts";
import { findPlanFolder } from "../plan-variables.ts";
import { hashText } from "./find-terms.ts";
import type { FollowOrder } from "./follow/follow-order.ts";
import { nameModalFiles } from "./modal-files.ts";
import type { ModalTerms } from "./modal-terms.ts";

/** Hidden: it is the job of a run on Modal. */
const FOLLOW_COMMAND = "modal-follow";

/**
 * Puts what starts a run on Modal into its job folder: the launcher, to be read by anyone, and the order to follow it. Answers
 * with the command that does so. @throws plan_stale
 */
export function writeLauncher(
  desk: Desk,
  plan: Plan,
  run: Pick<RunRecord, "jobFolder" | "request">,
): readonly string[] {
  const modal = plan.terms.modal as ModalTerms;
  const files = nameModalFiles(run.jobFolder);
  const isLauncher = modal.kind === "launcher";
  const call = {
    ...{ app: isLauncher ? files.launcher : modal.app, function: modal.function, args: modal.args },
    ...{ takes: modal.takes, detach: true, name: nameApp(modal.runId) },
  };
  const order: FollowOrder = {
    ...{ schema: 1, runId: modal.runId, argv: makeRunArguments(call), app: call.name, cwd: run.request.cwd },
    volume: isLauncher ? (modal.volumes[0] ?? null) : null,
    variables: modal.variables,
    limitS: modal.timeoutS ?? MOST_TIMEOUT_S,
  };
  mkdirSync(run.jobFolder, { recursive: true, mode: 0o700 });
  if (isLauncher) writeFileAtomic(files.launcher, readKept(desk, plan, modal.launcherHash), { mode: 0o600 });
  writeFileAtomic(files.order, `${JSON.stringify(order, null, 2)}\n`, { mode: 0o600 });
  return [...desk.self, FOLLOW_COMMAND, files.order];
}

function readKept(desk: Desk, { id }: Plan, hash: string | null): string {
  const text = readText(join(findPlanFolder(desk, id), "launcher"));
  if (text !== null && hashText(text) === hash) return text;
  throw new SortieError("plan_stale", {
    plan: id,
    changes: "its launcher is gone, or is not what was shown",
  });
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null; // removed: the caller says so
  }
}
