import { existsSync, readFileSync, rmSync } from "node:fs";
import { writeFileAtomic } from "../disk/atomic-file.ts";
import type { Home } from "../disk/home.ts";
import { isProcessAlive, type ProcessIdentity } from "../process/identity.ts";
import { spawnDetached } from "../process/spawn-detached.ts";
import { MIGRATIONS } from "../store/schema.ts";
import type { Desk, Environment } from "./desk.ts";

/** What a watcher says of itself, for those who look for it. */
export interface WatcherCard {
  readonly identity: ProcessIdentity;
  /** Version of the database that it works with. */
  readonly schema: number;
  readonly since: string;
}

/** Marks of the run or screen that a command was called from; a watcher must not carry them. */
const MARKS = [
  "SORTIE_RUN_ID",
  "SORTIE_RUN_NAME",
  "SORTIE_RUN_DIR",
  "SORTIE_RESULTS_DIR",
  "SORTIE_ATTEMPT",
  "STY",
  "WINDOW",
];

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

function withoutMarks(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !MARKS.includes(name)));
}
