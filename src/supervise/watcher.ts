import { isProcessAlive } from "../process/identity.ts";
import { spawnDetached } from "../process/spawn-detached.ts";
import { withoutMarks } from "../runs/run-marks.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { listAwayRuns, listLiveRuns } from "../runs/run-store.ts";
import { MIGRATIONS } from "../store/schema.ts";
import type { Desk } from "./desk.ts";
import { listLiveFleets } from "./fleet/fleet-store.ts";
import { isNoticeDue } from "./news/news-desk.ts";
import { listDueInstances } from "./rent/due-instances.ts";
import { mayCostMore } from "./rent/instance.ts";
import { findInstanceOf } from "./rent/instance-store.ts";
import { listDueForwards } from "./wandb/forward/forward-list.ts";
import { dismissWatcher, readWatcherCard } from "./watcher-card.ts";

const KEEP_EVERY_MS = 10_000;

/** Whether a watcher has anything to see to: a run of another container on this machine cannot be judged from here. */
export function isWatchable(run: RunRecord): boolean {
  return run.reachable || run.kind !== "local";
}

/** Whether a fleet is there whose agents are to be started, or started again. */
export function isFleetLive(desk: Desk): boolean {
  return listLiveFleets(desk.store).length > 0;
}

/**
 * Starts the watcher again where it died while runs are alive, or have ended and nobody has tried to bring them home, or
 * something is to be told.
 * Every command that looks at runs calls this.
 */
export function keepWatcher(desk: Desk): void {
  const isNeeded =
    listLiveRuns(desk.store).some(isWatchable) ||
    listAwayRuns(desk.store).some((run) => run.collectFault === null || isPaidFor(desk, run)) ||
    isFleetLive(desk) ||
    listDueInstances(desk).length > 0 ||
    listDueForwards(desk).length > 0 ||
    isNoticeDue(desk);
  if (isNeeded) ensureWatcher(desk);
}

/** It is to be tried again, whoever has tried: its machine costs money until then. */
function isPaidFor({ store, clock }: Desk, { id, kind }: RunRecord): boolean {
  const instance = kind === "vast" ? findInstanceOf(store, id) : null;
  return instance !== null && mayCostMore(instance, clock.now());
}

/** The same for those who stay: at most every ten seconds, for without a watcher a waiting run would wait for ever. */
export function makeWatcherKeeper(desk: Desk): () => void {
  let keptMs = desk.clock.monotonicMs();
  return () => {
    if (desk.clock.monotonicMs() - keptMs < KEEP_EVERY_MS) return;
    keptMs = desk.clock.monotonicMs();
    keepWatcher(desk);
  };
}

/**
 * Makes sure that a watcher of this version is there; two that are started at once settle it by the lock. Where none
 * can be started the runs go on all the same, and the next command tries again.
 */
export function ensureWatcher(desk: Desk): void {
  const card = readWatcherCard(desk.home);
  if (card && isProcessAlive(card.identity)) {
    if (card.schema === MIGRATIONS.length) return;
    dismissWatcher(desk.home, desk.clock);
  }
  try {
    spawnDetached([...desk.self, "watch"], {
      // It starts in the home folder, from where a relative path would lead elsewhere.
      env: { ...withoutMarks(desk.env), SORTIE_HOME: desk.home.root },
      logFile: desk.home.watcherLog,
      cwd: desk.home.root,
    });
  } catch {
    // its log cannot be opened: a full disk, for instance
  }
}
