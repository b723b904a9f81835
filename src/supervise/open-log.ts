import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../base/error.ts";
import { type LogSource, makeFileLog } from "../runs/log-source.ts";
import type { RunRecord, Silence } from "../runs/run-record.ts";
import type { Desk } from "./desk.ts";
import { findTargetOf } from "./find-target.ts";
import { listLogs } from "./home-logs.ts";
import { findGapMark, findMirrorPlace } from "./mirror-place.ts";
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
 * does not answer, what has been mirrored of it. @throws what keeps the host from answering where nothing was mirrored
 */
export async function openLog(desk: Desk, run: RunRecord, path: string = run.log): Promise<OpenLog> {
  const log = findTargetOf(desk, run).openFile(path);
  if (!run.remote) return { log, size: await log.size(), from: 0, silence: null };
  const home = findHomeLog(run, path);
  if (home !== null) return openCopy(home, null);
  const place = findMirrorPlace(desk, run, path);
  const hasMirror = statSync(place, { throwIfNoEntry: false }) !== undefined;
  // Who has just looked for the run has waited for its host already.
  if (hasMirror && !run.reachable && run.silence) return openCopy(place, run.silence);
  try {
    return { log, size: await log.size(), from: 0, silence: null };
  } catch (fault) {
    if (!hasMirror || !(fault instanceof SortieError) || !isSilence(fault)) throw fault;
    return openCopy(place, makeSilence(fault));
  }
}

/** null: it is not home, or was moved away. */
function findHomeLog(run: RunRecord, path: string): string | null {
  const name = listLogs(run).find(({ from }) => from === path)?.name;
  if (name === undefined || run.results === null || run.resultsFolder === null) return null;
  const place = join(run.resultsFolder, name);
  return statSync(place, { throwIfNoEntry: false })?.isFile() ? place : null;
}

async function openCopy(place: string, silence: Silence | null): Promise<OpenLog> {
  const log = makeFileLog(place);
  return { log, size: await log.size(), from: silence === null ? 0 : readGapEnd(place), silence };
}

function readGapEnd(place: string): number {
  try {
    return Number(readFileSync(findGapMark(place), "utf8"));
  } catch {
    return 0; // there is no gap
  }
}
