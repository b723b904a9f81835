import { listEvents, type RunEvent } from "../runs/events.ts";
import type { RunRecord, RunSummary } from "../runs/run-record.ts";
import { countRuns, findRun, listRuns, listSummaries, loadRun, summarise } from "../runs/run-store.ts";
import type { Desk } from "./desk.ts";
import { settlePromptRuns, settleRun, settleRuns } from "./settle-runs.ts";
import { keepWatcher } from "./watcher.ts";

export { isEnded } from "../runs/states.ts";
export type { RunRecord, RunSummary };

/** The run of that id, name or unique start, as it is now. @throws run_unknown, run_ambiguous */
export async function loadRunNow(desk: Desk, wanted: string): Promise<RunRecord> {
  const run = await settleRun(desk, findRun(desk.store, wanted).id);
  keepWatcher(desk);
  return run;
}

/** The run as it was last seen; its host is not asked. */
export function loadRunAsKnown(desk: Desk, id: string): RunRecord {
  return desk.unkept.get(id) ?? loadRun(desk.store, id);
}

/** What happened to the run, in order: intents before, observations after. */
export function loadHistory(desk: Desk, id: string): RunEvent[] {
  return listEvents(desk.store, id);
}

export interface RunList {
  readonly runs: RunSummary[];
  /** How many runs there are in all. */
  readonly total: number;
  /** Those of hosts that are still to answer: they stand in `runs` as they were last known. */
  readonly late: ReadonlySet<string>;
  /** The same runs once every host has answered, or has had its time. */
  loadSettled(): Promise<RunSummary[]>;
}

/** The newest runs and all that live, as soon as most hosts have answered. `loadSettled` is to be waited for in any case. */
export async function loadSummaries(desk: Desk, limit: number): Promise<RunList> {
  const { ids, settled } = await settlePromptRuns(desk);
  keepWatcher(desk);
  const list = () =>
    listSummaries(desk.store, limit).map((run) => {
      const seen = desk.unkept.get(run.id);
      return seen ? summarise(seen) : run;
    });
  const runs = list();
  const loadSettled = async () => {
    await settled();
    return ids.size === 0 ? runs : list();
  };
  return { runs, total: countRuns(desk.store), late: ids, loadSettled };
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
