import { closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path/posix";
import { writeFileAtomic } from "../disk/atomic-file.ts";
import type { FileRange, RangeWish } from "../runs/file-ranges.ts";
import { findSamplesBeside, nameJobFiles } from "../runs/job-folder.ts";
import type { RunRecord } from "../runs/run-record.ts";
import type { Desk } from "./desk.ts";
import { findTargetOf } from "./find-target.ts";
import { findGapMark, findMirrorPlace } from "./mirror-place.ts";

/** What a round brings of all logs of a host together. */
const ROUND_BYTES = 4 * 1024 * 1024;
/** So far behind, what is between is given up: the beginning and the end of a log tell most. */
const MAX_BEHIND_BYTES = 64 * 1024 * 1024;
const TAIL_BYTES = 1024 * 1024;

/**
 * Brings the copies at home of the logs of live runs on one host up to what these have grown by, in one question: so
 * they can be read while their host does not answer. @throws what keeps the host from answering; faults of the disk
 */
export async function mirrorLogs(desk: Desk, runs: readonly RunRecord[]): Promise<void> {
  const mirrored = runs.filter((run) => run.remote && run.startedAt !== null).flatMap(listMirrored);
  const [first] = mirrored;
  if (first === undefined) return;
  const most = Math.floor(ROUND_BYTES / mirrored.length);
  const places = mirrored.map(({ run, path }) => findMirrorPlace(desk, run, path));
  const wishes = mirrored.map(({ path }, index) => makeWish(path, places[index] as string, most));
  const ranges = await findTargetOf(desk, first.run).readRanges(wishes);
  ranges.forEach((range, index) => {
    keepRange(places[index] as string, range, wishes[index]?.from ?? 0);
  });
}

/** The logs of all attempts, and the samples of the last one: they tell which part of its log is of which time. */
function listMirrored(run: RunRecord): { run: RunRecord; path: string }[] {
  const attempts = Array.from({ length: run.attempt }, (_, index) => index + 1);
  const logs = attempts.map((attempt) => nameJobFiles(run.jobFolder, attempt).log);
  return [...logs, findSamplesBeside(run.log)].map((path) => ({ run, path }));
}

function makeWish(path: string, place: string, most: number): RangeWish {
  const from = statSync(place, { throwIfNoEntry: false })?.size ?? 0;
  // The beginning comes in any case.
  return from === 0 ? { path, from, most } : { path, from, most, jump: JUMP };
}

const JUMP = { behind: MAX_BEHIND_BYTES, keep: TAIL_BYTES };

function keepRange(place: string, { size, from, bytes }: FileRange, heldBytes: number): void {
  if (size !== null && size < heldBytes) {
    // Another file lies there now, as after a disk was put back: the copy begins anew.
    rmSync(place, { force: true });
    rmSync(findGapMark(place), { force: true });
    return;
  }
  if (bytes.length === 0) return;
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  if (from > heldBytes) writeFileAtomic(findGapMark(place), `${from}\n`, { mode: 0o600, durable: false });
  const file = openSync(place, heldBytes === 0 ? "w" : "r+", 0o600);
  try {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(file, bytes, written, bytes.length - written, from + written);
    }
  } finally {
    closeSync(file);
  }
}
