import { accessSync, constants, lstatSync, type Stats } from "node:fs";
import { makePlace } from "./byte-paths.ts";
import { findMarkedFolders, isGeneratedFile } from "./generated-files.ts";
import type { Change } from "./git-status.ts";
import { holdsWandbKey } from "./holds-wandb-key.ts";
import type { LeftOutFile, LeftOutReason } from "./left-out.ts";
import { makeOutputMatcher, type OutputScope } from "./output-files.ts";
import { isSecretFile } from "./secret-files.ts";

const MAX_FILE_BYTES = 50_000_000;
/** People write a key into a file that they read: a longer one is data, and is not searched. */
const MOST_KEY_FILE_BYTES = 1_000_000;
const MAX_TOTAL_BYTES = 500_000_000;

/** What must be done to a copy of the index so that it holds what is really there, but for what is left out. */
export interface Selection {
  readonly add: readonly Change[];
  readonly remove: readonly Change[];
  /** Repositories inside the repository: git keeps their commit alone. */
  readonly repositories: readonly Change[];
  readonly leftOut: readonly LeftOutFile[];
}

interface Candidate {
  readonly change: Change;
  readonly bytes: number;
}

export interface SelectScope extends OutputScope {
  /** Files that hold secrets whatever they are called, by their real paths. */
  readonly secrets?: readonly string[];
}

/**
 * Sorts the changes. A changed file that is left out is removed from the index too: the record holds a file as
 * it is, or not at all. What the last commit holds unchanged is no change and stays, whatever its name and size.
 */
export function selectFiles(changes: readonly Change[], scope: SelectScope): Selection {
  const findReason = makeReasonFinder(changes, scope);
  const remove: Change[] = [];
  const repositories: Change[] = [];
  const candidates: Candidate[] = [];
  const leftOut: LeftOutFile[] = [];
  const leave = (change: Change, bytes: number, reason: LeftOutReason) => {
    leftOut.push({ path: change.path.toString(), bytes, reason });
    if (change.tracked) remove.push(change);
  };

  for (const change of changes) {
    const path = makePlace(scope.root, change.path);
    const stats = change.gone ? null : findStats(path);
    if (stats?.isDirectory() && change.repository) repositories.push(change);
    else if (stats === null || stats.isDirectory()) remove.push(change);
    else {
      const reason = findReason(change, path, stats);
      if (reason === null) candidates.push({ change, bytes: stats.size });
      else leave(change, stats.size, reason);
    }
  }

  let total = candidates.reduce((sum, { bytes }) => sum + bytes, 0);
  candidates.sort((a, b) => b.bytes - a.bytes || a.change.path.compare(b.change.path));
  while (total > MAX_TOTAL_BYTES) {
    const { change, bytes } = candidates.shift() as Candidate;
    leave(change, bytes, "total");
    total -= bytes;
  }
  return { add: candidates.map(({ change }) => change), remove, repositories, leftOut };
}

function findStats(path: Buffer): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null; // it has gone since git saw it
  }
}

function makeReasonFinder(changes: readonly Change[], scope: SelectScope) {
  const secrets = new Set(scope.secrets);
  const isOutput = makeOutputMatcher(scope);
  const untracked = changes.filter(({ tracked }) => !tracked).map(({ path }) => path.toString());
  const marked = findMarkedFolders(untracked);
  const isGenerated = (path: string) =>
    isGeneratedFile(path) || marked.some((folder) => path.startsWith(folder));

  return (change: Change, place: Buffer, stats: Stats): LeftOutReason | null => {
    const path = change.path.toString();
    if (!change.tracked && isOutput(path)) return "output";
    if (!change.tracked && isGenerated(path)) return "generated";
    if (stats.isSymbolicLink()) return null;
    if (!stats.isFile()) return "special";
    if (secrets.has(place.toString()) || isSecretFile(place)) return "secret";
    if (stats.size > MAX_FILE_BYTES) return "big";
    if (stats.size <= MOST_KEY_FILE_BYTES && holdsWandbKey(place, stats.size)) return "secret";
    return isReadable(place) ? null : "unreadable";
  };
}

function isReadable(path: Buffer): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false; // that is the answer
  }
}
