import { statSync } from "node:fs";
import { join } from "node:path";
import { nameJobFiles } from "../runs/job-folder.ts";
import type { RunRecord } from "../runs/run-record.ts";

const LOG_NAME = "log";

/** A log of a run on its host, and the name that it has among the results at home. */
export interface HomeLog {
  readonly from: string;
  readonly name: string;
}

/** `log` is that of the last attempt, `log.N` that of attempt N before it. */
export function listLogs(run: Pick<RunRecord, "attempt" | "jobFolder" | "log">): HomeLog[] {
  const earlier = Array.from({ length: run.attempt - 1 }, (_, index) => ({
    from: nameJobFiles(run.jobFolder, index + 1).log,
    name: `${LOG_NAME}.${index + 1}`,
  }));
  // An attempt that was never started has none: then the last log is an earlier one's.
  return [{ from: run.log, name: LOG_NAME }, ...earlier.filter(({ from }) => from !== run.log)];
}

/** Where a log of the run lies among its results; null: it is not home, or was moved away. */
export function findHomeLog(run: RunRecord, path: string): string | null {
  const name = listLogs(run).find(({ from }) => from === path)?.name;
  if (name === undefined || run.results === null || run.resultsFolder === null) return null;
  const place = join(run.resultsFolder, name);
  return statSync(place, { throwIfNoEntry: false })?.isFile() ? place : null;
}
