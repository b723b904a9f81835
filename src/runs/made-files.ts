import { statSync } from "node:fs";
import { type FoundResult, findResults } from "./find-results.ts";

/** The records whose own times tell when a run began and ended: finer than the seconds in them. Absolute paths. */
export interface SpanRecords {
  /** Of the first attempt: what an earlier attempt made is the run's, too. */
  readonly pid: string;
  /** Of the last attempt. */
  readonly exit: string;
}

/** Which files a run has made, and when it and others ran. Paths are the host's own. */
export interface MadeWish {
  /** The run's folder. */
  readonly folder: string;
  /** From the folder, absolute, or from `~/` on. */
  readonly globs: readonly string[];
  readonly run: SpanRecords;
  readonly others: readonly SpanRecords[];
}

/** By the host's own clock; null: it has not begun, not ended. */
export interface Span {
  readonly startMs: number | null;
  readonly endMs: number | null;
}

export interface Made {
  readonly span: Span;
  /** In the order of the wish. */
  readonly others: readonly Span[];
  readonly files: readonly FoundResult[];
  /** What `~` stands for there; null: this is the host, and nothing begins with it. */
  readonly home: string | null;
}

/** The globs as the host means them. */
export function expandGlobs(globs: readonly string[], home: string | null): string[] {
  return globs.map((glob) => (home === null ? glob : glob.replace(/^~(?=\/|$)/, () => home)));
}

/** The same on this machine. */
export async function listMadeHere({ folder, globs, run, others }: MadeWish): Promise<Made> {
  const span = readSpan(run);
  const files = span.startMs === null ? [] : findResults({ folder, globs, sinceMs: span.startMs });
  return { span, others: others.map(readSpan), files, home: null };
}

/** The command puts itself on record just before it begins. */
function readSpan({ pid, exit }: SpanRecords): Span {
  return { startMs: readTimeMs(pid), endMs: readTimeMs(exit) };
}

function readTimeMs(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
