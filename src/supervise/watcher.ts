import { existsSync, readFileSync, rmSync } from "node:fs";
import { writeFileAtomic } from "../disk/atomic-file.ts";
import type { Home } from "../disk/home.ts";
import { isProcessAlive, type ProcessIdentity } from "../process/identity.ts";
import { spawnDetached } from "../process/spawn-detached.ts";
import { withoutMarks } from "../runs/run-marks.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { listLiveRuns } from "../runs/run-store.ts";
import { MIGRATIONS } from "../store/schema.ts";
import type { Desk } from "./desk.ts";

const KEEP_EVERY_MS = 10_000;

/** What a watcher says of itself, for those who look for it. */
export interface WatcherCard {
  readonly identity: ProcessIdentity;
  /** Version of the database that it works with. */
  readonly schema: number;
  readonly since: string;
}

/** Whether a watcher has anything to see to: a run of another container on this machine cannot be judged from here. */
export function isWatchable(run: RunRecord): boolean {
  return run.reachable || run.kind !== "local";
}

/** Starts the watcher again where it died while runs are alive. Every command that looks at runs calls this. */
export function keepWatcher(desk: Desk): void {
  if (listLiveRuns(desk.store).some(isWatchable)) ensureWatcher(desk);
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

/** Makes sure that a watcher is there; two that are started at once settle it by the lock. */
export function ensureWatcher(desk: Desk): void {
  const card = readWatcherCard(desk.home);
  if (card && isProcessAlive(card.identity)) return;
  spawnDetached([...desk.self, "watch"], {
    env: withoutMarks(desk.env),
    logFile: desk.home.watcherLog,
    cwd: desk.home.root,
  });
}

/** The card of the last watcher, alive or not; null: there is none that can be read. */
export function readWatcherCard(home: Home): WatcherCard | null {
  if (!existsSync(home.watcherFile)) return null;
  try {
    return JSON.parse(readFileSync(home.watcherFile, "utf8")) as WatcherCard;
  } catch {
    return null; // gone meanwhile, or from another version: no watcher that we know
  }
}

export function writeWatcherCard(desk: Desk): void {
  const card: WatcherCard = {
    identity: desk.identity,
    schema: MIGRATIONS.length,
    since: desk.clock.now().toISOString(),
  };
  writeFileAtomic(desk.home.watcherFile, JSON.stringify(card), { mode: 0o600 });
}

export function removeWatcherCard(desk: Desk): void {
  if (readWatcherCard(desk.home)?.identity.pid === desk.identity.pid)
    rmSync(desk.home.watcherFile, { force: true });
}

/** Asks the watcher to leave, as a newer Sortie does before it migrates the database. Its pid, or null. */
export function dismissWatcher(home: Home): number | null {
  const card = readWatcherCard(home);
  if (!card || !isProcessAlive(card.identity)) return null;
  process.kill(card.identity.pid, "SIGTERM");
  return card.identity.pid;
}
