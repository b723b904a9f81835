import { readRemainingS } from "../runs/progress.ts";
import type { RunRecord } from "../runs/run-record.ts";
import type { Desk } from "./desk.ts";
import { findHostNow } from "./host-clock.ts";
import { readLogEndOf } from "./open-log.ts";
import { isSilence } from "./silence.ts";

const TAIL_BYTES = 8 * 1024;

/** The run with its expected duration read from the progress bar of its log, where nothing better is known. */
export async function withProgress(desk: Desk, run: RunRecord): Promise<RunRecord> {
  if (run.state !== "running" || run.expected.seconds !== null || !run.startedAt || !run.reachable)
    return run;
  const remainingS = readRemainingS(await readTailText(desk, run));
  if (remainingS === null) return run;
  const elapsedS = (findHostNow(run, desk.clock.now()).getTime() - Date.parse(run.startedAt)) / 1000;
  return { ...run, expected: { seconds: Math.round(elapsedS + remainingS), source: "progress" } };
}

async function readTailText(desk: Desk, run: RunRecord): Promise<string> {
  try {
    return await readLogEndOf(desk, run, TAIL_BYTES);
  } catch (fault) {
    if (isSilence(fault)) return ""; // its host was there a moment ago: all else of the run is known
    throw fault;
  }
}
