import { lstatSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { makePlace } from "../byte-paths.ts";
import { walkFiles } from "../walk-files.ts";

export interface FolderSize {
  readonly files: number;
  readonly bytes: number;
  /** false: it is at least this much; measuring all of it would have taken too long. */
  readonly exact: boolean;
}

/** What is left out is measured for people to see; with millions of files, or on a slow disk, that has an end. */
const TIME_LIMIT_MS = 600;

/** Measures folders below `source`, one after the other, until the time for all of them together is used up. */
export function makeFolderMeter(source: string, limitMs = TIME_LIMIT_MS) {
  let leftMs = limitMs;
  /** @param skips files that are counted elsewhere */
  return (folder: Buffer, skips: (path: Buffer) => boolean): FolderSize => {
    const startedMs = performance.now();
    const isLate = () => performance.now() - startedMs > leftMs;
    let [files, bytes, exact] = [0, 0, true];
    const onClosed = () => {
      exact = false;
    };
    for (const { path } of walkFiles(source, { enters: () => !isLate(), onClosed }, folder)) {
      if (isLate()) break;
      if (skips(path)) continue;
      files += 1;
      bytes += findBytes(source, path);
    }
    exact &&= !isLate();
    leftMs -= performance.now() - startedMs;
    return { files, bytes, exact };
  };
}

function findBytes(source: string, path: Buffer): number {
  try {
    return lstatSync(makePlace(source, path)).size;
  } catch {
    return 0; // gone, or its folder may be listed and not entered
  }
}
