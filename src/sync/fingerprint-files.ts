import { createHash } from "node:crypto";
import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { describeFault } from "../base/error.ts";
import { makePlace } from "./byte-paths.ts";
import { isFolderMark, isGeneratedFile, isGeneratedFolder } from "./generated-files.ts";
import { makeOutputMatcher } from "./output-files.ts";

const MAX_FILES = 10_000;
/** A folder on a slow network, or one with a million entries that are all passed over. */
const TIME_LIMIT_MS = 5_000;
const VERSION_FOLDERS = new Set([".git", ".hg", ".svn", ".jj"]);

/** Code that no git keeps: known again by names, sizes and times, and not to be had back. */
export interface FilesProvenance {
  readonly kind: "files";
  readonly hash: string;
  readonly files: number;
  readonly bytes: number;
}

/** The fingerprint of a folder's files, without what the run writes or programs make; or why there is none. */
export function fingerprintFiles(
  folder: string,
  outputs: readonly string[],
): FilesProvenance | { readonly problem: string } {
  const found = listFiles(folder, makeOutputMatcher({ root: folder, folder, outputs }));
  if ("problem" in found) return found;
  const hash = createHash("sha256");
  let bytes = 0;
  for (const { path, stats } of found.files.sort((a, b) => a.path.compare(b.path))) {
    hash.update(path).update(`\0${stats.mode}\0${stats.size}\0${stats.mtimeNs}\0`);
    bytes += Number(stats.size);
  }
  return { kind: "files", hash: hash.digest("hex"), files: found.files.length, bytes };
}

interface FoundFile {
  /** In bytes, relative to the folder. */
  readonly path: Buffer;
  readonly stats: BigIntStats;
}

type Listing = { readonly files: FoundFile[] } | { readonly problem: string };

function listFiles(folder: string, isOutput: (path: string) => boolean): Listing {
  const endsAtMs = performance.now() + TIME_LIMIT_MS;
  const files: FoundFile[] = [];
  const waiting: Buffer[] = [Buffer.alloc(0)];
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    const names = listNames(makePlace(folder, below));
    if (typeof names === "string") {
      if (below.length === 0) return { problem: names };
      continue; // a folder closed to us is closed to the run as well
    }
    if (below.length > 0 && names.some((name) => isFolderMark(name.toString()))) continue;
    for (const name of names) {
      if (performance.now() > endsAtMs) return { problem: `reading it takes over ${TIME_LIMIT_MS / 1000} s` };
      const path = Buffer.concat([below, name]);
      const stats = lstatSync(makePlace(folder, path), { bigint: true, throwIfNoEntry: false });
      if (stats === undefined || isOutput(path.toString())) continue;
      if (!stats.isDirectory()) files.push({ path, stats });
      else if (isCodeFolder(name.toString())) waiting.push(Buffer.concat([path, Buffer.from("/")]));
      if (files.length > MAX_FILES) return { problem: `it holds over ${MAX_FILES} files` };
    }
  }
  return { files: files.filter(({ path }) => !isGeneratedFile(path.toString())) };
}

/** The names in a folder; a text says why they cannot be had. */
function listNames(folder: Buffer): Buffer[] | string {
  try {
    return readdirSync(folder, { encoding: "buffer" });
  } catch (fault) {
    return describeFault(fault);
  }
}

function isCodeFolder(name: string): boolean {
  return !isGeneratedFolder(name) && !VERSION_FOLDERS.has(name);
}
