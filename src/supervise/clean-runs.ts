import { rmSync } from "node:fs";
import { SortieError } from "../base/error.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { findRun, listRuns, removeRun } from "../runs/run-store.ts";
import { removeAbandoned } from "../runs/staging.ts";
import { isEnded } from "../runs/states.ts";
import type { Desk } from "./desk.ts";
import { removeFetched } from "./fetch-home.ts";
import { findTargetOf } from "./find-target.ts";
import { nameHostOf } from "./group-by-host.ts";
import { removeMetrics } from "./metrics/metrics-file.ts";
import { removeNotices, sweepNotices } from "./news/notice-rows.ts";
import { findPlanFolder, removeVariables } from "./plan-variables.ts";
import type { Instance } from "./rent/instance.ts";
import { findInstanceOf, removeInstance } from "./rent/instance-store.ts";
import { settleRuns } from "./settle-runs.ts";
import { isSilence } from "./silence.ts";
import { sweepPlans } from "./sweep-plans.ts";

export interface CleanWish {
  /** Ids, names or their starts; empty, and `lost` too: all that ended before `olderThanS` ago. */
  readonly names: readonly string[];
  readonly olderThanS: number;
  /** Runs that cannot be seen from here and never will be, since their container or host is gone. */
  readonly lost: readonly string[];
}

export interface CleanPlan {
  readonly runs: readonly RunRecord[];
  /** Live on record; nobody looks at their processes, and their job folders stay: `sortie adopt` takes them up again. */
  readonly lost: readonly RunRecord[];
  /** Ended runs that are kept, since their results or log are not home. */
  readonly away: readonly RunRecord[];
}

/**
 * Which runs can be forgotten. Never one that lives or is not home, unless a person says that it is lost, and never one whose
 * rented machine may still cost money.
 * @throws run_live, run_out_of_reach, uncollected, machine_open for a run that was named; value_bad for one that is not lost
 */
export async function planClean(desk: Desk, wish: CleanWish): Promise<CleanPlan> {
  await settleRuns(desk);
  const lost = wish.lost.map((name) => findLost(desk, name));
  const named = wish.names.map((name) => findForgettable(desk, name));
  for (const run of [...lost, ...named]) refuseOpen(desk, run);
  if (lost.length + named.length > 0) return { runs: named, lost, away: [] };
  const beforeMs = desk.clock.now().getTime() - wish.olderThanS * 1000;
  const old = listRuns(desk.store).filter(
    (run) =>
      isEnded(run.state) &&
      Date.parse(run.endedAt ?? run.createdAt) <= beforeMs &&
      findOpenMachine(desk, run) === null,
  );
  const isHome = (run: RunRecord) => run.results !== null;
  return { runs: old.filter(isHome), lost: [], away: old.filter((run) => !isHome(run)) };
}

function findOpenMachine({ store }: Desk, { id, kind }: RunRecord): Instance | null {
  const instance = kind === "vast" ? findInstanceOf(store, id) : null;
  return instance?.state === "gone" ? null : instance;
}

function refuseOpen(desk: Desk, run: RunRecord): void {
  const machine = findOpenMachine(desk, run);
  if (machine === null) return;
  const { number } = machine;
  throw new SortieError("machine_open", {
    run: run.name,
    machine: number === null ? "what was rented for it" : `its instance ${number}`,
    cleanup: number === null ? "sortie vast ls" : `sortie vast destroy ${number}`,
  });
}

function findForgettable(desk: Desk, name: string): RunRecord {
  const run = findRun(desk.store, name);
  if (!isEnded(run.state)) {
    if (!run.reachable) throw new SortieError("run_out_of_reach", { run: run.name, host: run.host });
    throw new SortieError("run_live", { run: run.name, state: run.state });
  }
  if (run.results === null) throw new SortieError("uncollected", { run: run.name });
  return run;
}

function findLost(desk: Desk, name: string): RunRecord {
  const run = findRun(desk.store, name);
  // Of one that ended on a host that is gone, results and log will never come home.
  if (isEnded(run.state) && run.remote && run.results === null) return run;
  if (isEnded(run.state)) {
    const reason = `it has ended (${run.state})`;
    throw new SortieError("value_bad", {
      what: "--lost",
      value: run.name,
      reason,
      advice: `Forget it with \`sortie clean ${run.name}\`.`,
    });
  }
  if (run.reachable) throw new SortieError("run_live", { run: run.name, state: run.state });
  return run;
}

/** A job folder that stays, since its host does not answer or does not let it go. */
export interface LeftFolder {
  readonly run: RunRecord;
  readonly reason: string;
}

/**
 * Forgets the runs: job folder and recorded code are removed, what was brought home stays. Plans that nobody can
 * confirm any more go as well, and results that a killed process left half copied. Answers with what is left on hosts.
 */
export async function cleanRuns(desk: Desk, { runs, lost }: CleanPlan): Promise<LeftFolder[]> {
  const left: LeftFolder[] = [];
  const silent = new Map<string, string>();
  for (const run of runs) {
    const reason = silent.get(nameHostOf(run)) ?? (await removeJobFolder(desk, run, silent));
    if (reason !== null) left.push({ run, reason });
    rmSync(findPlanFolder(desk, run.plan), { recursive: true, force: true });
    forgetRun(desk, run.id);
  }
  // Should one live after all, it goes on writing to its folder.
  for (const run of lost) {
    removeVariables(desk, run.plan);
    forgetRun(desk, run.id);
  }
  sweepPlans(desk);
  sweepNotices(desk.store, desk.clock.now());
  removeAbandoned(desk.home.runs, desk.clock.now());
  return left;
}

function forgetRun(desk: Desk, id: string): void {
  removeFetched(desk, id);
  removeMetrics(desk, id);
  desk.store.together(() => {
    removeRun(desk.store, id);
    removeInstance(desk.store, id);
    removeNotices(desk.store, id);
  });
}

/** Why it stays; null: it is gone. A host that does not answer is not asked again for the next run: `silent` knows it. */
async function removeJobFolder(
  desk: Desk,
  run: RunRecord,
  silent: Map<string, string>,
): Promise<string | null> {
  try {
    await findTargetOf(desk, run).removeFolder(run);
    return null;
  } catch (fault) {
    if (!run.remote || !(fault instanceof SortieError)) throw fault;
    if (isSilence(fault)) silent.set(nameHostOf(run), fault.message);
    return fault.message;
  }
}
