import { chmodSync, statSync } from "node:fs";
import type { StateFile } from "./state-file.ts";

/** Takes the rights of others away from a state file that has tokens in it. What was done, or could not be, in sentences. */
export function closeStateFile({ path, warnings }: StateFile): string[] {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() || (stats.mode & 0o077) === 0) return [...warnings];
    chmodSync(path, stats.mode & 0o700);
    const left = warnings.filter((text) => !text.includes("is open to others"));
    return [`${path} was open to others and holds tokens: now it is yours alone`, ...left];
  } catch {
    return [...warnings]; // somebody else's file: the warning says what to do
  }
}
