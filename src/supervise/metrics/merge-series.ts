import type { Series } from "../../metrics/series/series.ts";
import type { SeriesSet } from "../../metrics/series/series-set.ts";

/**
 * One series of each metric. Where both the log and a file hold it, that one counts which has more values, since it shows more of the
 * course; of two alike the file's, since a log rounds. What the host saw comes last.
 */
export function mergeSeries(
  log: SeriesSet,
  files: SeriesSet | null,
  samples: SeriesSet,
): ReadonlyMap<string, Series> {
  const merged = new Map(log.series);
  for (const [metric, series] of files?.series ?? []) {
    const known = merged.get(metric);
    if (known === undefined || countValues(series) >= countValues(known)) merged.set(metric, series);
  }
  for (const [metric, series] of samples.series) if (!merged.has(metric)) merged.set(metric, series);
  return merged;
}

export function countValues(series: Series | undefined): number {
  return series?.buckets.reduce((sum, { count }) => sum + count, 0) ?? 0;
}
