import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { describeFault, SortieError } from "../../base/error.ts";
import { RECORDING_SUFFIX } from "../../wire/recording.ts";

/**
 * The files that these paths name, each once: a file is taken whatever its name is, of a folder those whose names are of
 * recordings. @throws SortieError `file_unreadable`, `recordings_absent`
 */
export function listRecordings(paths: readonly string[], cwd: string): string[] {
  return [...new Set(paths.flatMap((path) => listPath(resolve(cwd, path))))];
}

function listPath(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => name.endsWith(RECORDING_SUFFIX));
    if (names.length > 0) return names.sort().map((name) => join(path, name));
  } catch (fault) {
    const advice = "Name a recording, or a folder that holds some.";
    throw new SortieError("file_unreadable", { path, reason: describeFault(fault), advice }, fault);
  }
  throw new SortieError("recordings_absent", { folder: path });
}
