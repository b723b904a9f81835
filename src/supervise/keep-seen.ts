import { SortieError } from "../base/error.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { changeRun, loadRun, moveRun } from "../runs/run-store.ts";
import type { RunState } from "../runs/states.ts";
import type { Desk } from "./desk.ts";

export interface Kept {
  readonly run: RunRecord;
  /** This call moved the state; else another process saw it first. */
  readonly isNew: boolean;
}

/**
 * Writes down what was seen of a run; null where the disk is full: then it is kept for this command alone. What was seen
 * of an attempt that another process has meanwhile put behind changes nothing.
 */
export function keepSeen(
  desk: Desk,
  run: RunRecord,
  state: RunState,
  change: Partial<RunRecord>,
  seenAttempt = change.attempt ?? run.attempt,
): Kept | null {
  try {
    return desk.store.together(() => {
      const newest = loadRun(desk.store, run.id);
      if (newest.attempt > seenAttempt) return { run: newest, isNew: false };
      const { state: _, ...facts } = change;
      if (state === run.state) return { run: changeRun(desk.store, run.id, facts), isNew: false };
      let isNew = false;
      const moved = moveRun(desk.store, run.id, state, change, () => (isNew = true));
      return { run: moved, isNew };
    });
  } catch (fault) {
    if (!(fault instanceof SortieError) || fault.code !== "home_unwritable") throw fault;
    desk.unkept.set(run.id, { ...run, ...change, state });
    return null;
  }
}
