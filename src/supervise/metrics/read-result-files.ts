import { join } from "node:path";
import { formatBytes } from "../../base/bytes.ts";
import { countOf } from "../../base/count-of.ts";
import { isMetricFile, readMetricFile } from "../../metrics/files/read-metric-file.ts";
import { encodeSeriesSet } from "../../metrics/series/encode-series.ts";
import { addToSet, MOST_METRICS, makeSeriesSet, type SeriesSet } from "../../metrics/series/series-set.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { keepLonger } from "./merge-series.ts";
import type { KeptMetrics } from "./metrics-file.ts";

/** Of more files than that the first by name are read, and of more bytes: a run may have thousands of checkpoints. */
const MOST_FILES = 50;
const MOST_BYTES = 500_000_000;
const MOST_PROBLEMS = 20;

/**
 * The metrics in the results that are home. Of a metric that several files hold, the course with the most values counts: a trainer
 * writes the whole of it beside each checkpoint. A file into which another run wrote may hold that one's, and is not read.
 */
export async function readResultFiles({
  results,
  resultsFolder,
}: Pick<RunRecord, "results" | "resultsFolder">): Promise<NonNullable<KeptMetrics["files"]>> {
  const found = resultsFolder === null ? [] : (results ?? []).filter(({ path }) => isMetricFile(path));
  const own = found.filter(({ shared }) => !shared);
  const problems = found
    .filter(({ shared }) => shared)
    .map(({ path }) => `${path} was not read for numbers: another run wrote to it at the same time`);
  let set: SeriesSet = makeSeriesSet();
  const read = { files: 0, bytes: 0 };
  for (const { path, storedAs, bytes } of own) {
    if (read.files >= MOST_FILES || read.bytes + bytes > MOST_BYTES) continue;
    read.files += 1;
    read.bytes += bytes;
    const file = await readMetricFile(join(resultsFolder ?? "", storedAs));
    problems.push(...file.problems.map((problem) => `${path}: ${problem}`));
    set = keepLonger(set, addToSet(makeSeriesSet(), file.points), MOST_METRICS);
  }
  return {
    series: encodeSeriesSet(set),
    problems: [...cutProblems(problems), ...tellLeft(own.length - read.files)],
  };
}

function cutProblems(problems: readonly string[]): string[] {
  const more = problems.length - MOST_PROBLEMS;
  if (more <= 0) return [...problems];
  return [...problems.slice(0, MOST_PROBLEMS), `${countOf(more, "more problem")} of files of metrics`];
}

function tellLeft(left: number): string[] {
  if (left === 0) return [];
  const files = countOf(left, "file of metrics was", "files of metrics were");
  return [`${files} not read: of a run at most ${MOST_FILES} are, of ${formatBytes(MOST_BYTES)} together`];
}
