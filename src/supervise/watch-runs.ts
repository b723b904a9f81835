import { statSync } from "node:fs";
import type { RunRecord } from "../runs/run-record.ts";
import { listAwayRuns, listLiveRuns } from "../runs/run-store.ts";
import { takeKernelLock } from "../store/kernel-lock.ts";
import { mayComeHome } from "./collect-tries.ts";
import type { Desk } from "./desk.ts";
import { listLiveFleets } from "./fleet/fleet-store.ts";
import { nameFleetHost } from "./fleet/load-seats.ts";
import { nameHostOf } from "./group-by-host.ts";
import { makeNewsDesk, type NewsDesk } from "./news/news-desk.ts";
import { listDueInstances } from "./rent/due-instances.ts";
import { listDueForwards } from "./wandb/forward/forward-list.ts";
import type { HostWork, OnWatchStep } from "./watch-host.ts";
import { endWork, isDue, isGivenUp, isLongSilent, type Lane, makeLane } from "./watch-lane.ts";
import { listTasks, type Task } from "./watch-tasks.ts";
import { isWatchable } from "./watcher.ts";
import { removeWatcherCard, writeWatcherCard } from "./watcher-card.ts";
import { makeFaultLog } from "./watcher-log.ts";

const TICK_MS = 1000;
/** A host or database that fails so often in a row will not come back by itself. */
const MAX_FAULTS = 50;

/**
 * The watcher's whole life: alone by a lock that the kernel holds, it sees to every run until nothing is left to
 * watch. It keeps nothing in memory that matters: the next one picks up where the events stop.
 */
export async function watchRuns(
  desk: Desk,
  signal: AbortSignal,
  options: { onStep?: OnWatchStep } = {},
): Promise<void> {
  const tell = makeFaultLog(desk);
  const lanes: Watch["lanes"] = new Map();
  const isSilentFor = (host: string) => isLongSilent(lanes.get(`look ${host}`), desk.clock.monotonicMs());
  const watch: Watch = {
    desk: { ...desk, leaving: signal },
    signal,
    database: findInode(desk),
    tries: new Map(),
    readings: new Map(),
    onStep: options.onStep ?? (() => undefined),
    tell,
    lanes,
    news: makeNewsDesk({ ...desk, leaving: signal }, { signal, tell, isSilentFor }, () => watch.wake()),
    wake: () => undefined,
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

interface Watch extends HostWork {
  readonly signal: AbortSignal;
  /** Which file the database was when this began. */
  readonly database: number | undefined;
  /** By what they do and for which host. */
  readonly lanes: Map<string, Lane>;
  /** Tells the person, beside the lanes. */
  readonly news: NewsDesk;
  /** Ends the pause between two looks at what is due. */
  wake: () => void;
}

/** Without it others start watchers in vain; the runs are seen to all the same. */
function showCard({ desk, tell }: Watch): void {
  try {
    writeWatcherCard(desk.home, desk.identity, desk.clock.now());
  } catch (fault) {
    tell("card", fault);
  }
}

/** @throws what keeps it from its work for good */
async function watchUntilIdle(watch: Watch): Promise<void> {
  let faults = 0;
  try {
    for (;;) {
      try {
        if (mustLeave(watch)) return;
        for (const task of listTasks(watch)) startTask(watch, task);
        watch.news.tick();
        faults = 0;
      } catch (fault) {
        watch.tell("look", fault);
        faults += 1;
        if (faults > MAX_FAULTS) throw fault;
      }
      const worst = [...watch.lanes.values()].find((lane) => lane.faults > MAX_FAULTS);
      if (worst) throw worst.fault;
      await pause(watch);
    }
  } finally {
    await Promise.all([watch.news.end(), ...[...watch.lanes.values()].map((lane) => lane.busy)]);
  }
}

function startTask(watch: Watch, { key, seen, mostMs, work }: Task): void {
  const { lanes, desk } = watch;
  const lane = lanes.get(key) ?? makeLane();
  lanes.set(key, lane);
  if (!isDue(lane, seen, desk.clock.monotonicMs())) return;
  const end = (how: "answered" | "silent" | "failed", fault?: unknown) => {
    const now = how === "failed" ? seen : (listTasks(watch).find((task) => task.key === key)?.seen ?? "");
    endWork(lane, how, { seen: now, mostMs, fault, nowMs: desk.clock.monotonicMs() });
  };
  lane.busy = work()
    .then((isThere) => end(isThere ? "answered" : "silent"))
    .catch((fault) => end("failed", fault))
    .finally(() => {
      lane.busy = null;
      watch.wake();
    });
}

async function pause(watch: Watch): Promise<void> {
  const woken = new AbortController();
  watch.wake = () => woken.abort();
  await watch.desk.clock.sleep(TICK_MS, AbortSignal.any([watch.signal, woken.signal]));
}

function mustLeave(watch: Watch): boolean {
  const { desk, signal, database, lanes, news } = watch;
  if (signal.aborted || findInode(desk) !== database) return true;
  if (news.isBusy() || [...lanes.values()].some((lane) => lane.busy !== null)) return false;
  return !isWorkLeft(watch);
}

/** Whoever moved the database aside works with another one: this watcher would see to runs that nobody else knows. */
function findInode(desk: Desk): number | undefined {
  return statSync(desk.home.database, { throwIfNoEntry: false })?.ino;
}

/**
 * Work is left while a run or a fleet lives, or one has ended and is not home yet and that was not given up, or something is to
 * be told.
 */
function isWorkLeft(watch: Watch): boolean {
  const { desk, lanes, news } = watch;
  const nowMs = desk.clock.monotonicMs();
  const mayAnswer = (what: string, run: RunRecord) =>
    !isGivenUp(lanes.get(`${what} ${nameHostOf(run)}`), nowMs);
  const isAway = (host: string) => isGivenUp(lanes.get(`look ${host}`), nowMs);
  if (listLiveFleets(desk.store).some((fleet) => !isAway(nameFleetHost(desk, fleet)))) return true;
  if (listLiveRuns(desk.store).some((run) => isWatchable(run) && mayAnswer("look", run))) return true;
  if (listDueInstances(desk).some(({ run }) => !isGivenUp(lanes.get(`machine ${run}`), nowMs))) return true;
  if (listAwayRuns(desk.store).some((run) => mayComeHome(watch.tries, run) && mayAnswer("collect", run)))
    return true;
  return listDueForwards(desk).length > 0 || news.isWorkLeft();
}
