import type { RunRecord, RunWandb } from "../../runs/run-record.ts";
import { changeRun, loadRun } from "../../runs/run-store.ts";
import type { Desk } from "../desk.ts";
import { openLog } from "../open-log.ts";
import { findOfflineRuns } from "./find-offline-runs.ts";
import { listPages } from "./run-link.ts";

/** W&B names a run's page when the run begins and once more when it ends: so much is looked at there. */
const LOOK_BYTES = 64 * 1024;

/** Whose run it is, by what W&B printed of the run's page; null: it printed none. */
export function findEntity(printed: string, run: Pick<RunWandb, "url" | "project" | "id">): string | null {
  const [before, after] = listPages(run);
  for (const text of printed.split(before).slice(1)) {
    const [entity = ""] = /^[\w.-]*/.exec(text) ?? [];
    const rest = text.slice(entity.length);
    if (entity !== "" && rest.startsWith(after) && !/^[\w-]/.test(rest.slice(after.length))) return entity;
  }
  return null;
}

/** The run with the owner on record that W&B's words tell, where it had none. */
export function keepEntity(desk: Desk, run: RunRecord, printed: string): RunRecord {
  const { wandb } = loadRun(desk.store, run.id);
  if (!wandb || wandb.entity !== null) return run;
  const entity = findEntity(printed, wandb);
  if (entity === null) return run;
  const known = { wandb: { ...wandb, entity } };
  changeRun(desk.store, run.id, known);
  return { ...run, ...known };
}

/** The same by the log of a run that logs online; a log that cannot be read tells nothing. */
export async function learnEntity(desk: Desk, run: RunRecord): Promise<RunRecord> {
  const { wandb } = run;
  if (!wandb || wandb.entity !== null || wandb.mode !== "online" || wandb.way === "forward") return run;
  try {
    const { log, size } = await openLog(desk, run);
    const ends = size > LOOK_BYTES ? [0, Math.max(LOOK_BYTES, size - LOOK_BYTES)] : [0];
    const parts = await Promise.all(ends.map((at) => log.read(at, LOOK_BYTES)));
    return keepEntity(desk, run, Buffer.concat(parts).toString("utf8"));
  } catch {
    return run; // its host is silent, or the log is gone: the link is no reason to show nothing
  }
}

/** Everything that a run kept offline is on the server by now. */
export function isAllSent(desk: Desk, run: RunRecord): boolean {
  const kept = run.wandb ? findOfflineRuns(desk, run) : [];
  return kept.length > 0 && kept.every(({ isSent }) => isSent);
}
