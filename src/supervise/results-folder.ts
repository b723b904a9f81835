import { statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { findGlobBase } from "../base/globs.ts";
import type { RunRecord } from "../runs/run-record.ts";
import type { Desk } from "./desk.ts";

/** Where the results of a run are brought to; a folder of its own, also among runs of the same name. */
export function findResultsFolder(desk: Desk, run: Pick<RunRecord, "id" | "name" | "request">): string {
  const { resultsTo } = run.request;
  return resultsTo ? join(resultsTo, `${run.name}-${run.id}`) : join(desk.home.runs, run.id);
}

/**
 * The folder that a program is told to write results to: the one that the first pattern names, or whose files it does.
 * `isHere: false`: it lies on another host, and cannot be looked at.
 */
export function findWritingFolder(
  cwd: string,
  patterns: readonly string[],
  { isHere = true }: { isHere?: boolean } = {},
): string {
  const [pattern = "results/"] = patterns;
  const base = resolve(cwd, findGlobBase(pattern));
  return namesFile(pattern, isHere ? base : null) ? dirname(base) : base;
}

/** A pattern without wildcards and without a slash behind it may be a file's name: what is there says so, else its ending. */
function namesFile(pattern: string, base: string | null): boolean {
  if (pattern.endsWith("/") || /[*?[{]/.test(pattern)) return false;
  const stats = base === null ? undefined : statSync(base, { throwIfNoEntry: false });
  return stats ? !stats.isDirectory() : extname(pattern) !== "";
}
