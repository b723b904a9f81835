import { describeFault, SortieError } from "../base/error.ts";
import { appendEvent } from "../runs/events.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { listLiveRuns, loadRun } from "../runs/run-store.ts";
import { collectRun } from "./collect-run.ts";
import { type CollectTries, countTry, mayComeHome } from "./collect-tries.ts";
import type { Desk } from "./desk.ts";
import { nameHostOf } from "./group-by-host.ts";
import type { LaunchStep, OnStep } from "./launch-steps.ts";
import type { MetricReadings } from "./metrics/watch-metrics.ts";
import { makeEndedNotice } from "./news/ended-notice.ts";
import { openNews } from "./news/open-news.ts";
import { makeAwayNotice } from "./news/trouble-notices.ts";
import { countCost } from "./rent/count-cost.ts";
import type { RentStep } from "./rent/rent-steps.ts";
import { settleOnHost } from "./settle-host.ts";
import { isSilence } from "./silence.ts";
import { releaseFailedStarts, startWaiting } from "./start-waiting.ts";
import { isFleetLive } from "./watcher.ts";
import type { TellFault } from "./watcher-log.ts";

/** A host over the network has so long for an answer; it is the watcher alone that waits for it. */
const PATIENCE_MS = 30_000;

export type OnWatchStep = (step: LaunchStep | RentStep) => void;

export interface HostWork {
  readonly desk: Desk;
  readonly onStep: OnWatchStep;
  /** Writes a fault of a step into the log. */
  readonly tell: TellFault;
  readonly tries: CollectTries;
  /** What was read of the metrics of live runs: read anew where it is lost. */
  readonly readings: MetricReadings;
}

/**
 * Sees to the live runs of one host. What fails of one step is told at once, and does not keep the others from their
 * work. false: the host does not answer. @throws the first fault, after all
 */
export async function lookAtHost(work: HostWork, host: string): Promise<boolean> {
  const { desk, onStep, tell } = work;
  const isHere = (run: RunRecord) => nameHostOf(run) === host;
  let isThere = true;
  const steps: Readonly<Record<string, () => Promise<void> | void>> = {
    release: () => releaseFailedStarts(desk, isHere),
    settle: async () => {
      const runs = listLiveRuns(desk.store).filter(isHere);
      const hasAnswered = await settleOnHost(desk, runs, { patienceMs: PATIENCE_MS });
      // This very machine is only short of time.
      isThere = hasAnswered || runs[0]?.remote == null;
    },
    start: async () => {
      if (isThere) isThere = await startWaiting(desk, onStep, isHere);
    },
    mirror: async () => {
      if (isThere) await mirrorLive(work, host);
    },
    measure: async () => {
      if (isThere) await measureLive(work, host);
    },
    tend: async () => {
      if (isThere) isThere = await tendLive(desk, onStep, host);
    },
  };
  const faults: unknown[] = [];
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step();
    } catch (fault) {
      tell(name, fault);
      faults.push(fault);
    }
  }
  if (faults.length > 0) throw faults[0];
  return isThere;
}

/** Without copies at home the runs are seen to all the same: a full disk here is told, and stops nothing. */
async function mirrorLive({ desk, tell }: HostWork, host: string): Promise<void> {
  const runs = listLiveRuns(desk.store).filter(
    (run) => run.remote && run.reachable && nameHostOf(run) === host,
  );
  if (runs.length === 0) return;
  const { mirrorLogs } = await import("./mirror-logs.ts"); // no run on this machine needs it
  try {
    await mirrorLogs(desk, runs);
  } catch (fault) {
    if (!isSilence(fault)) tell("mirror", fault);
  }
}

/** Numbers of what the logs have grown by; a full disk here is told, and stops nothing. */
async function measureLive({ desk, tell, readings }: HostWork, host: string): Promise<void> {
  const runs = listLiveRuns(desk.store).filter(
    (run) => run.reachable && !run.seat && run.state === "running" && nameHostOf(run) === host,
  );
  if (runs.length === 0 && readings.size === 0) return;
  const { dropReadings, watchMetrics } = await import("./metrics/watch-metrics.ts"); // who starts waiting runs alone needs it late
  try {
    await watchMetrics(desk, runs, readings);
    dropReadings(readings, listLiveRuns(desk.store));
  } catch (fault) {
    tell("metrics", fault);
  }
}

/** Loaded on demand: most watchers never see a fleet. false: the host does not answer. */
async function tendLive(desk: Desk, onStep: OnStep, host: string): Promise<boolean> {
  if (!isFleetLive(desk)) return true;
  const { tendFleets } = await import("./fleet/tend-fleets.ts");
  try {
    await tendFleets(desk, onStep, host);
    return true;
  } catch (fault) {
    if (isSilence(fault)) return false;
    throw fault;
  }
}

/** Brings home what has ended on one host. false: the host does not answer, which does not count as a try. */
export async function collectFromHost(
  work: Omit<HostWork, "readings">,
  runs: readonly RunRecord[],
): Promise<boolean> {
  const { desk, tries } = work;
  for (const run of runs) {
    try {
      await collectRun(desk, run.id);
    } catch (fault) {
      if (isSilence(fault)) {
        await followMachine(desk, run, fault);
        return false;
      }
      countTry(desk, tries, run);
      appendEvent(desk.store, run.id, "collect_failed", { reason: describeFault(fault) }, desk.clock.now());
      if (!mayComeHome(tries, run)) await giveUp(desk, run.id);
    }
  }
  return true;
}

/** A rented machine may have another address since it was restarted: it is tried there next. */
async function followMachine(desk: Desk, run: RunRecord, fault: unknown): Promise<void> {
  if (run.kind !== "vast" || !(fault instanceof SortieError)) return;
  const { lookForInstance } = await import("./rent/look-for-instance.ts");
  await lookForInstance(desk, [run], { fault });
}

/** Nobody tries any more: the end is told without its results, and the machine that they lie on stays. */
async function giveUp(desk: Desk, id: string): Promise<void> {
  if (loadRun(desk.store, id).kind === "vast") {
    const { tearDown } = await import("./rent/tear-down.ts");
    await tearDown(desk, id);
  }
  const news = await openNews(desk);
  const run = loadRun(desk.store, id);
  news?.add(makeAwayNotice(run, desk.clock.now()));
  if (!run.seat) news?.add(makeEndedNotice(run, desk.clock.now(), { costUsd: countCost(desk, run) }));
}
