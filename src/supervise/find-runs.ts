import { listEvents, type RunEvent } from "../runs/events.ts";
import type { RunRecord, RunSummary } from "../runs/run-record.ts";
import { countRuns, findRun, listRuns, listSummaries, summarise } from "../runs/run-store.ts";
import type { Desk } from "./desk.ts";
import { settleRun, settleRuns } from "./settle-runs.ts";
import { keepWatcher } from "./watcher.ts";

export { isEnded } from "../runs/states.ts";
export type { RunRecord, RunSummary };

/** The run of that id, name or unique start, as it is now. @throws run_unknown, run_ambiguous */
export async function loadRunNow(desk: Desk, wanted: string): Promise<RunRecord> {
  const run = await settleRun(desk, findRun(desk.store, wanted).id);
  keepWatcher(desk);
  return run;
}

/** What happened to the run, in order: intents before, observations after. */
export function loadHistory(desk: Desk, id: string): RunEvent[] {
  return listEvents(desk.store, id);
}

/** The newest runs and all that live, and how many there are in all. */
export async function loadSummaries(
  desk: Desk,
  limit: number,
): Promise<{ runs: RunSummary[]; total: number }> {
  await settleRuns(desk);
  keepWatcher(desk);
  const runs = listSummaries(desk.store, limit).map((run) => {
    const seen = desk.unkept.get(run.id);
    return seen ? summarise(seen) : run;
  });
  return { runs, total: countRuns(desk.store) };
}

/** Names for completion, newest first; nothing is asked of any host. */
export function listRunNames(desk: Desk): string[] {
  return listSummaries(desk.store, 50).map((run) => run.name);
}

/** Every run, newest first. */
export async function loadRuns(desk: Desk): Promise<RunRecord[]> {
  await settleRuns(desk);
  keepWatcher(desk);
  return listRuns(desk.store).map((run) => desk.unkept.get(run.id) ?? run);
}
