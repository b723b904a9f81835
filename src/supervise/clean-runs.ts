import { rmSync } from "node:fs";
import { SortieError } from "../base/error.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { findRun, listRuns, removeRun } from "../runs/run-store.ts";
import { removeAbandoned } from "../runs/staging.ts";
import { isEnded } from "../runs/states.ts";
import type { Desk } from "./desk.ts";
import { findPlanFolder } from "./plan-variables.ts";
import { settleRuns } from "./settle-runs.ts";
import { sweepPlans } from "./sweep-plans.ts";

export interface CleanPlan {
  readonly runs: readonly RunRecord[];
  /** Ended runs that are kept, since their results or log are not home. */
  readonly away: readonly RunRecord[];
}

/**
 * Which runs can be forgotten: the named ones, else all that ended before `olderThanS` ago. Never one that lives or
 * is not home. @throws run_live, uncollected for a run that was named
 */
export async function planClean(
  desk: Desk,
  names: readonly string[],
  olderThanS: number,
): Promise<CleanPlan> {
  await settleRuns(desk);
  const named = names.map((name) => findRun(desk.store, name));
  for (const run of named) {
    if (!isEnded(run.state)) throw new SortieError("run_live", { run: run.name, state: run.state });
    if (run.results === null) throw new SortieError("uncollected", { run: run.name });
  }
  if (names.length > 0) return { runs: named, away: [] };
  const before = new Date(desk.clock.now().getTime() - olderThanS * 1000).toISOString();
  const old = listRuns(desk.store).filter(
    (run) => isEnded(run.state) && (run.endedAt ?? run.createdAt) <= before,
  );
  return { runs: old.filter((run) => run.results !== null), away: old.filter((run) => run.results === null) };
}

/**
 * Forgets the runs: job folder and recorded code are removed, what was brought home stays. Plans that nobody can
 * confirm any more go as well, and results that a killed process left half copied.
 */
export function cleanRuns(desk: Desk, runs: readonly RunRecord[]): void {
  for (const run of runs) {
    rmSync(run.jobFolder, { recursive: true, force: true });
    rmSync(findPlanFolder(desk, run.plan), { recursive: true, force: true });
    removeRun(desk.store, run.id);
  }
  sweepPlans(desk);
  removeAbandoned(desk.home.runs, desk.clock.now());
}
