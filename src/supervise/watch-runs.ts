import { statSync } from "node:fs";
import { describeFault } from "../base/error.ts";
import { appendEvent } from "../runs/events.ts";
import { listAwayRuns, listLiveRuns } from "../runs/run-store.ts";
import { takeKernelLock } from "../store/kernel-lock.ts";
import { collectRun } from "./collect-run.ts";
import type { Desk } from "./desk.ts";
import type { OnStep } from "./launch-steps.ts";
import { settleRuns } from "./settle-runs.ts";
import { releaseFailedStarts, startWaiting } from "./start-waiting.ts";
import { isFleetLive, isWatchable } from "./watcher.ts";
import { removeWatcherCard, writeWatcherCard } from "./watcher-card.ts";
import { makeFaultLog, type TellFault } from "./watcher-log.ts";

const POLL_MS = 1000;
const MAX_POLL_MS = 10_000;
const MAX_COLLECT_TRIES = 5;
/** A host or database that fails so often in a row will not come back by itself. */
const MAX_FAULTS = 50;

/**
 * The watcher's whole life: alone by a lock that the kernel holds, it sees to every run until nothing is left to
 * watch. It keeps nothing in memory that matters: the next one picks up where the events stop.
 */
export async function watchRuns(
  desk: Desk,
  signal: AbortSignal,
  options: { onStep?: OnStep } = {},
): Promise<void> {
  const watch: Watch = {
    desk,
    signal,
    database: findInode(desk),
    tries: new Map(),
    onStep: options.onStep ?? (() => undefined),
    tell: makeFaultLog(desk),
  };
  for (;;) {
    const lock = takeKernelLock(desk.home.watcherLock);
    if (!lock) return;
    try {
      showCard(watch);
      await watchUntilIdle(watch);
    } finally {
      removeWatcherCard(desk.home, desk.identity);
      lock.release();
    }
    // Who launched in the last moment may have seen this watcher alive and started none.
    if (mustLeave(watch)) return;
  }
}

interface Watch {
  readonly desk: Desk;
  readonly signal: AbortSignal;
  /** Which file the database was when this began. */
  readonly database: number | undefined;
  /** How often bringing a run home has failed. */
  readonly tries: Map<string, number>;
  readonly onStep: OnStep;
  /** Writes a fault of a step into the log. */
  readonly tell: TellFault;
}

/** Without it others start watchers in vain; the runs are seen to all the same. */
function showCard({ desk, tell }: Watch): void {
  try {
    writeWatcherCard(desk.home, desk.identity, desk.clock.now());
  } catch (fault) {
    tell("card", fault);
  }
}

async function watchUntilIdle(watch: Watch): Promise<void> {
  const { desk, signal } = watch;
  let pauseMs = POLL_MS;
  let lastSeen = "";
  let faults = 0;
  while (!signal.aborted) {
    try {
      if (mustLeave(watch)) return;
      await lookOnce(watch);
      const seen = describeLive(desk);
      pauseMs = seen === lastSeen ? Math.min(pauseMs * 1.3, MAX_POLL_MS) : POLL_MS;
      // Those who wait in line are served promptly.
      if (seen.includes("waiting")) pauseMs = Math.min(pauseMs, 2 * POLL_MS);
      // An agent that ended has a short time to come back to its cases.
      if (isFleetLive(desk)) pauseMs = POLL_MS;
      lastSeen = seen;
      faults = 0;
      await sleepUntilNews(desk, { seen, pauseMs, signal });
    } catch (fault) {
      watch.tell("look", fault);
      faults += 1;
      if (faults > MAX_FAULTS) throw fault;
      pauseMs = Math.min(pauseMs * 1.3, MAX_POLL_MS);
      await desk.clock.sleep(pauseMs, signal);
    }
  }
}

/** Others start and park runs meanwhile: those are looked at promptly, however long the pause. */
async function sleepUntilNews(
  desk: Desk,
  { seen, pauseMs, signal }: { seen: string; pauseMs: number; signal: AbortSignal },
): Promise<void> {
  const until = desk.clock.monotonicMs() + pauseMs;
  for (;;) {
    const leftMs = until - desk.clock.monotonicMs();
    if (leftMs <= 0 || signal.aborted) return;
    await desk.clock.sleep(Math.min(leftMs, POLL_MS), signal);
    if (describeLive(desk) !== seen) return;
  }
}

/** What fails of one step is told at once, and does not keep the others from their work. @throws the first fault, after all */
async function lookOnce({ desk, tries, onStep, tell }: Watch): Promise<void> {
  const steps = {
    release: () => releaseFailedStarts(desk),
    settle: () => settleRuns(desk),
    start: () => startWaiting(desk, onStep),
    tend: () => tendLive(desk, onStep),
    collect: () => collectEnded(desk, tries),
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
}

/** Loaded on demand: most watchers never see a fleet. */
async function tendLive(desk: Desk, onStep: OnStep): Promise<void> {
  if (!isFleetLive(desk)) return;
  const { tendFleets } = await import("./fleet/tend-fleets.ts");
  await tendFleets(desk, onStep);
}

function mustLeave({ desk, signal, database, tries }: Watch): boolean {
  return signal.aborted || findInode(desk) !== database || !isWorkLeft(desk, tries);
}

/** Whoever moved the database aside works with another one: this watcher would see to runs that nobody else knows. */
function findInode(desk: Desk): number | undefined {
  return statSync(desk.home.database, { throwIfNoEntry: false })?.ino;
}

/** Work is left while a run or a fleet lives, or one has ended and is not home yet and that was not given up. */
function isWorkLeft(desk: Desk, tries: ReadonlyMap<string, number>): boolean {
  if (isFleetLive(desk)) return true;
  if (listLiveRuns(desk.store).some(isWatchable)) return true;
  return listAwayRuns(desk.store).some((run) => (tries.get(run.id) ?? 0) < MAX_COLLECT_TRIES);
}

async function collectEnded(desk: Desk, tries: Map<string, number>): Promise<void> {
  for (const run of listAwayRuns(desk.store)) {
    const count = tries.get(run.id) ?? 0;
    if (count >= MAX_COLLECT_TRIES) continue;
    tries.set(run.id, count + 1);
    try {
      await collectRun(desk, run.id);
    } catch (fault) {
      appendEvent(desk.store, run.id, "collect_failed", { reason: describeFault(fault) }, desk.clock.now());
    }
  }
}

function describeLive(desk: Desk): string {
  return listLiveRuns(desk.store)
    .map((run) => `${run.id} ${run.state}`)
    .join("\n");
}
