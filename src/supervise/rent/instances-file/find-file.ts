import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const NAME = "vast-instances.json";
/** Where a project ends: the file lies beside one of these at the latest. */
const ROOTS = ["AGENTS.md", "CLAUDE.md", ".git"];
const MOST_BYTES = 1024 * 1024;

export interface InstancesFile {
  /** Where its bytes lie, behind any link. */
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

/** The file of the project that a folder belongs to; null: it has none, or none that can be read. */
export function findInstancesFile(folder: string): InstancesFile | null {
  for (let place = folder; ; place = dirname(place)) {
    const file = readQuietly(join(place, NAME));
    if (file !== null) return file;
    if (dirname(place) === place || ROOTS.some((name) => isThere(join(place, name)))) return null;
  }
}

function readQuietly(named: string): InstancesFile | null {
  try {
    const path = realpathSync(named);
    const { size, mode } = statSync(path);
    return size > MOST_BYTES ? null : { path, text: readFileSync(path, "utf8"), mode: mode & 0o777 };
  } catch {
    return null; // most projects have none
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
