import { dirname, join } from "node:path/posix";
import { SortieError } from "../base/error.ts";
import type { LogSource } from "../runs/log-source.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { findOffsetAt } from "../runs/samples.ts";
import { readTail } from "../runs/tail-log.ts";
import type { Desk } from "./desk.ts";
import { findTargetOf } from "./find-target.ts";

export { LogFolder } from "../runs/fold-log.ts";

const BLOCK = 1024 * 1024;

/** What is wanted of a log: no more than so many last lines, nothing from before that time; null: no such bound. */
export interface LogWish {
  readonly lines: number | null;
  readonly since: Date | null;
}

/**
 * Hands on what was wished of a run's log, as it lies there, and answers where the log goes on. Of a line so long that
 * it was not looked at whole, `onLeftOut` is told first how many bytes lie before it. @throws log_missing
 */
export async function readPastLog(
  desk: Desk,
  run: RunRecord,
  { lines, since }: LogWish,
  { onBytes, onLeftOut }: { onBytes: (bytes: Uint8Array) => void; onLeftOut: (bytes: number) => void },
): Promise<number> {
  const target = findTargetOf(desk, run);
  const log = target.openFile(run.log);
  const end = await log.size();
  if (end === 0) refuseMissing(run);
  const samples = target.openFile(join(dirname(run.log), "samples.csv")); // those of the attempt whose log it is
  const from = since === null ? 0 : await findOffsetAt(samples, since);
  if (lines === null) return readLogFrom(log, from, onBytes);
  const tail = await readTail(log, lines, { from, end });
  if (tail.cut) onLeftOut(tail.offset - from);
  onBytes(tail.bytes);
  return end;
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
