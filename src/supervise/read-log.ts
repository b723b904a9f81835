import { SortieError } from "../base/error.ts";
import { findSamplesBeside } from "../runs/job-folder.ts";
import type { LogSource } from "../runs/log-source.ts";
import type { RunRecord, Silence } from "../runs/run-record.ts";
import { findOffsetAt } from "../runs/samples.ts";
import { readTail } from "../runs/tail-log.ts";
import type { Desk } from "./desk.ts";
import { openLog } from "./open-log.ts";

export { LogFolder } from "../runs/fold-log.ts";

const BLOCK = 1024 * 1024;

/** What is wanted of a log: no more than so many last lines, nothing from before that time; null: no such bound. */
export interface LogWish {
  readonly lines: number | null;
  readonly since: Date | null;
}

/** Who is told what of a log. */
export interface LogReader {
  onBytes(bytes: Uint8Array): void;
  /** So many bytes lie between what was wished and what comes next. */
  onLeftOut(bytes: number): void;
  /** The host does not answer: what comes is what had come of the log by then. */
  onSilence?(silence: Silence): void;
}

/**
 * Hands on what was wished of a run's log, as it lies there, and answers where the log goes on. Of a line so long that
 * it was not looked at whole, `onLeftOut` is told first how many bytes lie before it. @throws log_missing
 */
export async function readPastLog(
  desk: Desk,
  run: RunRecord,
  { lines, since }: LogWish,
  { onBytes, onLeftOut, onSilence }: LogReader,
): Promise<number> {
  const { log, size: end, from: held, silence } = await openLog(desk, run);
  if (silence) onSilence?.(silence);
  if (end === 0) refuseMissing(run);
  const wished = since === null ? 0 : await findOffsetSince(desk, run, since);
  const from = Math.max(wished, held);
  if (lines === null) {
    if (from > wished) onLeftOut(from - wished);
    return readLogFrom(log, from, onBytes);
  }
  const tail = await readTail(log, lines, { from, end });
  if (tail.cut || (tail.offset === held && held > wished)) onLeftOut(tail.offset - wished);
  onBytes(tail.bytes);
  return end;
}

/** By the samples of the attempt whose log it is. */
async function findOffsetSince(desk: Desk, run: RunRecord, since: Date): Promise<number> {
  const { log: samples } = await openLog(desk, run, findSamplesBeside(run.log));
  return findOffsetAt(samples, since);
}

/** To its present end, block by block. */
async function readLogFrom(
  log: LogSource,
  offset: number,
  onBytes: (bytes: Uint8Array) => void,
): Promise<number> {
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
