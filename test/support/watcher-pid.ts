import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The number of the watcher's process, by its card in this home folder; null: none is there, or it is just leaving. */
export function findWatcherPid(home: string): number | null {
  try {
    return JSON.parse(readFileSync(join(home, "watcher.json"), "utf8")).identity.pid;
  } catch {
    return null; // its card goes with it
  }
}
