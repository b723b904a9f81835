import { SortieError } from "../base/error.ts";
import { nameJobFiles } from "../runs/job-folder.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { findOffsetAt, parseSamples } from "../runs/samples.ts";
import { readTail } from "../runs/tail-log.ts";
import type { Desk } from "./desk.ts";
import { findTargetOf } from "./find-target.ts";

export { LogFolder } from "../runs/fold-log.ts";

const MAX_SAMPLES_BYTES = 8 * 1024 * 1024;
const BLOCK = 1024 * 1024;

export interface LogPiece {
  readonly bytes: Uint8Array;
  /** Where the log goes on after the piece. */
  readonly offset: number;
}

/** The last lines of a run's log, as they lie there. @throws log_missing */
export async function readLastLines(desk: Desk, run: RunRecord, lines: number): Promise<LogPiece> {
  const log = findTargetOf(desk, run).openFile(run.log);
  const size = await log.size();
  if (size === 0) refuseMissing(run);
  const tail = await readTail(log, lines, size);
  return { bytes: tail.bytes, offset: size };
}

/** Where the log stood at a time, by the samples taken beside it. */
export async function findLogOffset(desk: Desk, run: RunRecord, since: Date): Promise<number> {
  const file = findTargetOf(desk, run).openFile(nameJobFiles(run.jobFolder, run.attempt).samples);
  const bytes = await file.read(0, MAX_SAMPLES_BYTES);
  return findOffsetAt(parseSamples(Buffer.from(bytes).toString("utf8")), since);
}

/** Hands on the log from an offset to its present end, block by block. */
export async function readLogFrom(
  desk: Desk,
  run: RunRecord,
  offset: number,
  onBytes: (bytes: Uint8Array) => void,
): Promise<number> {
  const log = findTargetOf(desk, run).openFile(run.log);
  let at = offset;
  for (;;) {
    const bytes = await log.read(at, BLOCK);
    if (bytes.length === 0) return at;
    at += bytes.length;
    onBytes(bytes);
  }
}

/** A run that is alive may still begin its log; an ended one never will. */
function refuseMissing(run: RunRecord): void {
  if (run.endedAt === null) return;
  if (run.startedAt !== null && run.endReason !== "never_started") return;
  throw new SortieError("log_missing", { run: run.name, reason: run.evidence ?? "it never started" });
}
