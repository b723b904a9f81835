import { statSync } from "node:fs";
import { join } from "node:path";
import { isMetricFile, readMetricFile } from "../../metrics/files/read-metric-file.ts";
import { encodeSeriesSet } from "../../metrics/series/encode-series.ts";
import { addToSet, makeSeriesSet, type SeriesSet } from "../../metrics/series/series-set.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { countValues } from "./merge-series.ts";
import type { KeptMetrics } from "./metrics-file.ts";

/** Of more files than that the first by name are read, and of more bytes: a run may have thousands of checkpoints. */
const MOST_FILES = 50;
const MOST_BYTES = 512 * 1024 * 1024;
const MOST_PROBLEMS = 20;

/**
 * The metrics in the results that are home. Of a metric that several files hold, the course with the most values counts: a trainer
 * writes the whole of it beside each checkpoint.
 */
export async function readResultFiles({
  results,
  resultsFolder,
}: Pick<RunRecord, "results" | "resultsFolder">): Promise<NonNullable<KeptMetrics["files"]>> {
  const found = (results ?? [])
    .filter(({ path }) => isMetricFile(path))
    .map(({ path, storedAs }) => ({ path, storedAs }));
  const problems: string[] = [];
  let set: SeriesSet = makeSeriesSet();
  let bytes = 0;
  for (const { path, storedAs } of found.slice(0, MOST_FILES)) {
    const place = join(resultsFolder ?? "", storedAs);
    bytes += statSync(place, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > MOST_BYTES) break;
    const file = await readMetricFile(place);
    problems.push(...file.problems.map((problem) => `${path}: ${problem}`));
    set = keepLonger(set, addToSet(makeSeriesSet(), file.points));
  }
  return { series: encodeSeriesSet(set), problems: problems.slice(0, MOST_PROBLEMS) };
}

function keepLonger(before: SeriesSet, now: SeriesSet): SeriesSet {
  const series = new Map(before.series);
  for (const [metric, course] of now.series) {
    const known = series.get(metric);
    if (known === undefined || countValues(course) >= countValues(known)) series.set(metric, course);
  }
  return { series, dropped: before.dropped + now.dropped };
}
