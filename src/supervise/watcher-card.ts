import { existsSync, readFileSync, rmSync } from "node:fs";
import { type Clock, pauseSync } from "../base/clock.ts";
import { isNumber, isShape, isText, parseJson } from "../base/shape.ts";
import { writeFileAtomic } from "../disk/atomic-file.ts";
import type { Home } from "../disk/home.ts";
import { isProcessAlive, type ProcessIdentity } from "../process/identity.ts";
import { isIdentity } from "../process/parse-identity.ts";
import { MIGRATIONS } from "../store/schema.ts";

/** What a watcher says of itself, for those who look for it. */
export interface WatcherCard {
  readonly identity: ProcessIdentity;
  /** Version of the database that it works with. */
  readonly schema: number;
  readonly since: string;
}

const isCard = isShape<WatcherCard>({ identity: isIdentity, schema: isNumber, since: isText });

const LEAVE_MS = 5000;
const LOOK_EVERY_MS = 20;

/** The card of the last watcher, alive or not; null: there is none that can be read. */
export function readWatcherCard(home: Home): WatcherCard | null {
  if (!existsSync(home.watcherFile)) return null;
  try {
    return parseJson(readFileSync(home.watcherFile, "utf8"), isCard);
  } catch {
    return null; // gone meanwhile
  }
}

export function writeWatcherCard(home: Home, identity: ProcessIdentity, since: Date): void {
  const card: WatcherCard = { identity, schema: MIGRATIONS.length, since: since.toISOString() };
  writeFileAtomic(home.watcherFile, JSON.stringify(card), { mode: 0o600 });
}

export function removeWatcherCard(home: Home, identity: ProcessIdentity): void {
  if (readWatcherCard(home)?.identity.pid === identity.pid) rmSync(home.watcherFile, { force: true });
}

/**
 * Asks the watcher to leave, as a newer Sortie does before it changes the tables that the watcher works with, and
 * waits until it is gone: at most five seconds, since one that brings results home ends that first.
 */
export function dismissWatcher(home: Home, clock: Clock): void {
  const card = readWatcherCard(home);
  if (!card || !isProcessAlive(card.identity)) return;
  try {
    process.kill(card.identity.pid, "SIGTERM");
  } catch {
    return; // it left by itself, or is another user's
  }
  const until = clock.monotonicMs() + LEAVE_MS;
  while (isProcessAlive(card.identity) && clock.monotonicMs() < until) pauseSync(LOOK_EVERY_MS);
}
