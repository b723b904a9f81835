import { statSync } from "node:fs";
import { SortieError } from "../base/error.ts";
import { type LogSource, makeFileLog, readLogEnd } from "../runs/log-source.ts";
import type { RunRecord, Silence } from "../runs/run-record.ts";
import type { Desk } from "./desk.ts";
import { findTargetOf, isPlaced } from "./find-target.ts";
import { findHomeLog } from "./home-logs.ts";
import { findMirrorPlace, readGapEnd } from "./mirror-place.ts";
import { isSilence, makeSilence } from "./silence.ts";

export interface OpenLog {
  readonly log: LogSource;
  /** Of what there is to be read. */
  readonly size: number;
  /** What lies before this is not in the copy. */
  readonly from: number;
  /** Its host does not answer: this is what had come of it by then. null: it is the log itself, or all of it. */
  readonly silence: Silence | null;
}

/**
 * A log, or another growing file of a run's job folder: among its results at home, else on its host, else, where that
 * does not answer, what has been mirrored of it. @throws log_missing, what keeps the host from answering where nothing was mirrored
 */
export async function openLog(desk: Desk, run: RunRecord, path: string = run.log): Promise<OpenLog> {
  if (!isPlaced(run)) throw refusePlaceless(run);
  const log = findTargetOf(desk, run).openFile(path);
  if (!run.remote) return { log, size: await log.size(), from: 0, silence: null };
  const home = findHomeLog(run, path);
  if (home !== null) return openCopy(home, null);
  // Who has just looked for the run has waited for its host already.
  const mirrored = !run.reachable && run.silence ? await openMirror(desk, run, path, run.silence) : null;
  if (mirrored !== null) return mirrored;
  try {
    return { log, size: await log.size(), from: 0, silence: null };
  } catch (fault) {
    return openMirrorAfter(desk, run, path, fault);
  }
}

function refusePlaceless({ name, endedAt, evidence }: RunRecord): SortieError {
  const reason = endedAt === null ? "its machine is still being rented" : (evidence ?? "it never started");
  return new SortieError("log_missing", { run: name, reason });
}

/** The last bytes of a run's log as text, at most so many: one question where its host is asked. @throws as `openLog` */
export async function readLogEndOf(desk: Desk, run: RunRecord, mostBytes: number): Promise<string> {
  const jump = { behind: mostBytes, keep: mostBytes };
  try {
    const wishes = [{ path: run.log, from: 0, most: mostBytes, jump }];
    const [end] = await findTargetOf(desk, run).readRanges(wishes);
    return end?.bytes.toString("utf8") ?? "";
  } catch (fault) {
    const { log } = await openMirrorAfter(desk, run, run.log, fault);
    return readLogEnd(log, mostBytes);
  }
}

/** What has been mirrored, where the host did not answer. @throws the fault where it is another, or nothing was mirrored */
async function openMirrorAfter(desk: Desk, run: RunRecord, path: string, fault: unknown): Promise<OpenLog> {
  if (!(fault instanceof SortieError) || !isSilence(fault)) throw fault;
  const mirrored = await openMirror(desk, run, path, makeSilence(fault));
  if (mirrored === null) throw fault;
  return mirrored;
}

async function openMirror(
  desk: Desk,
  run: RunRecord,
  path: string,
  silence: Silence,
): Promise<OpenLog | null> {
  const place = findMirrorPlace(desk, run, path);
  return statSync(place, { throwIfNoEntry: false }) ? openCopy(place, silence) : null;
}

async function openCopy(place: string, silence: Silence | null): Promise<OpenLog> {
  const log = makeFileLog(place);
  return { log, size: await log.size(), from: silence === null ? 0 : readGapEnd(place), silence };
}
