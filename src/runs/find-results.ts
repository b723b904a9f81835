import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { posix } from "node:path";
import { SortieError } from "../base/error.ts";
import { findGlobBase, makeGlobMatcher, normalizeGlob } from "../base/globs.ts";

/** A file that a run made or changed. */
export interface FoundResult {
  /** From the run's folder, or absolute where the glob was; bytes that are not UTF-8 are replaced. */
  readonly path: string;
  /** The path in base64, where its bytes are not UTF-8. */
  readonly pathBytes?: string;
  readonly bytes: number;
  /** When its contents, its name or its rights changed last, by the clock of its host. */
  readonly changedMs: number;
}

export interface ResultScope {
  readonly folder: string;
  /** From the folder, or absolute on purpose; a folder means all below it. */
  readonly globs: readonly string[];
  /** When the run began. */
  readonly sinceMs: number;
}

/** A file that was listed on another host; the path as a glob would match it, in bytes. */
export interface ListedFile {
  readonly path: Buffer;
  readonly bytes: number;
  readonly changedMs: number;
}

/** The kernel stamps files with the time of its last tick. */
const TICK_MS = 20;
const SECOND_MS = 1000;

/**
 * Files that match and were made, changed or moved here since the run began, sorted by path. What a glob names is
 * followed where it is a link; links below it count only when they lead to a file inside. @throws results_glob_bad
 */
export function findResults({ folder, globs, sinceMs }: ResultScope): FoundResult[] {
  const found = new Map<string, FoundResult>();
  for (const glob of globs.map((text) => anchorGlob(text, folder))) {
    const matches = makeGlobMatcher([glob]);
    walk({ folder, start: findGlobBase(glob), matches }, (path, stats) => {
      const file = { path, bytes: stats.size, changedMs: Math.max(stats.mtimeMs, stats.ctimeMs) };
      if (isChangedSince(file, sinceMs)) found.set(path.toString("latin1"), makeResult(file));
    });
  }
  return sortResults(found);
}

/** The same among files that were listed on another host. */
export function pickResults(
  listed: readonly ListedFile[],
  { folder, globs, sinceMs }: ResultScope,
): FoundResult[] {
  const matches = makeGlobMatcher(globs.map((text) => anchorGlob(text, folder)));
  const found = new Map<string, FoundResult>();
  for (const file of listed) {
    const isMeant = isChangedSince(file, sinceMs) && matches(file.path.toString());
    if (isMeant) found.set(file.path.toString("latin1"), makeResult(file));
  }
  return sortResults(found);
}

/** Whether a result of one run would also be one of another in the same folder. */
export function makeResultTest({ folder, globs, sinceMs }: ResultScope): (file: FoundResult) => boolean {
  const matches = makeGlobMatcher(globs.map((text) => anchorGlob(text, folder)));
  return (file) => isChangedSince(file, sinceMs) && matches(file.path);
}

/** Where the walks for the globs start: relative to the folder, or absolute. */
export function findStarts({ folder, globs }: Pick<ResultScope, "folder" | "globs">): string[] {
  return globs.map((text) => findGlobBase(anchorGlob(text, folder)));
}

function sortResults(found: ReadonlyMap<string, FoundResult>): FoundResult[] {
  return [...found.keys()].sort().map((key) => found.get(key) as FoundResult);
}

/** A relative glob must not lead out of the run's folder. @throws results_glob_bad */
export function checkResultsGlob(text: string): string {
  const glob = normalizeGlob(posix.normalize(text));
  if (glob !== ".." && !glob.startsWith("../")) return glob;
  throw new SortieError("results_glob_bad", { glob: text });
}

/** Relative to the folder where it lies below it, else absolute. */
function anchorGlob(text: string, folder: string): string {
  const glob = checkResultsGlob(text);
  return glob.startsWith(`${folder}/`) ? glob.slice(folder.length + 1) : glob;
}

interface Walk {
  readonly folder: string;
  /** Relative to the folder, or absolute. */
  readonly start: string;
  readonly matches: (path: string) => boolean;
}

function walk({ folder, start, matches }: Walk, add: (path: Buffer, stats: Stats) => void) {
  const place = (path: Buffer) =>
    path[0] === SLASH ? path : Buffer.concat([Buffer.from(`${folder}/`), path]);
  const inside = [folder, posix.resolve(folder, start)].map(findRealPath);
  const waiting: Buffer[] = [Buffer.from(start)];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const isStart = path.toString() === start;
    const stats = findStats(place(path), isStart ? null : inside);
    if (stats?.isFile() && matches(path.toString())) add(path, stats);
    if (!stats?.isDirectory()) continue;
    for (const name of listNames(place(path))) {
      if (name.toString() !== ".git") waiting.push(joinPath(path, name));
    }
  }
}

const SLASH = "/".charCodeAt(0);

/** What is there; a link counts as the file that it leads to, if that is inside; null otherwise. */
function findStats(place: Buffer, inside: readonly string[] | null): Stats | null {
  try {
    if (inside === null) return statSync(place);
    const stats = lstatSync(place);
    if (!stats.isSymbolicLink()) return stats;
    const target = realpathSync(place, "utf8");
    if (!inside.some((folder) => folder !== "" && target.startsWith(`${folder}/`))) return null;
    const followed = statSync(place);
    return followed.isFile() ? followed : null;
  } catch {
    return null; // gone, or a link that leads nowhere
  }
}

function findRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return ""; // not there: nothing is inside
  }
}

function listNames(folder: Buffer): Buffer[] {
  try {
    return readdirSync(folder, { encoding: "buffer" });
  } catch {
    return []; // gone meanwhile, or closed to us: then its files cannot be brought home either
  }
}

function joinPath(folder: Buffer, name: Buffer): Buffer {
  if (folder.length === 0) return name;
  const slash = folder.at(-1) === SLASH ? "" : "/";
  return Buffer.concat([folder, Buffer.from(slash), name]);
}

/** Whole seconds come from a file system that keeps no finer time, or two seconds at most. */
function isChangedSince({ changedMs }: Pick<FoundResult, "changedMs">, sinceMs: number): boolean {
  const isCoarse = changedMs % SECOND_MS === 0;
  return changedMs >= sinceMs - (isCoarse ? 2 * SECOND_MS : TICK_MS);
}

function makeResult({ path, bytes, changedMs }: ListedFile): FoundResult {
  const text = path.toString();
  const result = { path: text, bytes, changedMs };
  return Buffer.from(text).equals(path) ? result : { ...result, pathBytes: path.toString("base64") };
}
