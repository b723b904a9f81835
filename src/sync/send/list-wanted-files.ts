import { lstatSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { SortieError } from "../../base/error.ts";
import { findGlobBase } from "../../base/globs.ts";
import { makePlace } from "../byte-paths.ts";
import { walkFiles } from "../walk-files.ts";
import type { FileSink } from "./sort-files.ts";

interface Wanted {
  /** As the configuration has them, from the project; one may be absolute. */
  readonly include: readonly string[];
  /** What `--copy` names, relative to the project. */
  readonly copies: readonly string[];
}

/** Hands on what was asked for by name or pattern, also where git ignores it. @throws sync_pattern_outside, sync_unreadable */
export function listWantedFiles(source: string, sink: FileSink, { include, copies }: Wanted): void {
  const starts = new Set([...copies, ...include.map((glob) => findStart(source, glob))]);
  const hooks = {
    enters: (folder: Buffer) => sink.mayHoldWanted(folder),
    onClosed: (folder: Buffer, reason: string) => sink.refuse(folder, reason),
  };
  for (const start of starts) {
    const path = Buffer.from(start);
    const stats = lstatSync(makePlace(source, path), { throwIfNoEntry: false });
    if (stats === undefined) continue; // a pattern may match nothing
    if (!stats.isDirectory()) sink.takeWanted(path);
    else {
      const folder = start === "" ? path : Buffer.from(`${start}/`);
      for (const file of walkFiles(source, hooks, folder)) sink.takeWanted(file.path);
    }
  }
}

/** Where the walk that looks for a pattern's files begins, relative to the project. */
function findStart(source: string, glob: string): string {
  const base = findGlobBase(glob);
  const start = isAbsolute(base) ? relative(source, base) : base;
  if (start.split("/").includes(".."))
    throw new SortieError("sync_pattern_outside", { glob, folder: source });
  return start;
}
