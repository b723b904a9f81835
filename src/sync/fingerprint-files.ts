import { createHash } from "node:crypto";
import { type BigIntStats, lstatSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { makePlace } from "./byte-paths.ts";
import { isGeneratedFile, isGeneratedFolder, isVersionFolder } from "./generated-files.ts";
import { makeOutputMatcher } from "./output-files.ts";
import type { Rewrite } from "./rewrite.ts";
import { type WalkHooks, walkFiles } from "./walk-files.ts";

const MAX_FILES = 10_000;
/** A folder on a slow network, or one with a million entries that are all passed over. */
const TIME_LIMIT_MS = 5_000;

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
  rewrite: Rewrite | null = null,
): FilesProvenance | { readonly problem: string } {
  const found = listFiles(folder, makeOutputMatcher({ root: folder, folder, outputs }));
  if ("problem" in found) return found;
  const hash = createHash("sha256");
  let bytes = 0;
  for (const { path, stats } of found.files.sort((a, b) => a.path.compare(b.path))) {
    // When it will have been written cannot be known: the one file counts by its content.
    const isRewritten = rewrite !== null && makePlace(folder, path).toString() === rewrite.path;
    const size = isRewritten ? rewrite.bytes.length : Number(stats.size);
    const state = isRewritten ? createHash("sha256").update(rewrite.bytes).digest("hex") : stats.mtimeNs;
    hash.update(path).update(`\0${stats.mode}\0${size}\0${state}\0`);
    bytes += size;
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
  const isLate = () => performance.now() > endsAtMs;
  let problem: string | null = null;
  const hooks: WalkHooks = {
    enters: (below) => !isLate() && isCodeFolder(below) && !isOutput(below.subarray(0, -1).toString()),
    onMarked: () => undefined, // a program's own: no code
    onClosed(below, reason) {
      if (below.length === 0) problem = reason; // any other is closed to the run as well
    },
  };

  const files: FoundFile[] = [];
  for (const { path } of walkFiles(folder, hooks)) {
    if (isLate()) break;
    const stats = lstatSync(makePlace(folder, path), { bigint: true, throwIfNoEntry: false });
    if (stats === undefined || isOutput(path.toString())) continue;
    files.push({ path, stats });
    if (files.length > MAX_FILES) return { problem: `it holds over ${MAX_FILES} files` };
  }
  if (problem !== null) return { problem };
  if (isLate()) return { problem: `reading it takes over ${TIME_LIMIT_MS / 1000} s` };
  return { files: files.filter(({ path }) => !isGeneratedFile(path.toString())) };
}

function isCodeFolder(path: Buffer): boolean {
  const name = path.subarray(path.lastIndexOf("/", -2) + 1, -1).toString();
  return !isGeneratedFolder(name) && !isVersionFolder(name);
}
