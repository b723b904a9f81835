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
  const said = files === null ? log.series : keepLonger(log, files).series;
  return new Map([...said, ...[...samples.series].filter(([metric]) => !said.has(metric))]);
}

/** Of each metric the series with more values, of two alike that of `now`; metrics beyond so many are dropped. */
export function keepLonger(before: SeriesSet, now: SeriesSet, most = Number.POSITIVE_INFINITY): SeriesSet {
  const series = new Map(before.series);
  let dropped = before.dropped + now.dropped;
  for (const [metric, course] of now.series) {
    const known = series.get(metric);
    if (known === undefined && series.size >= most) dropped += countValues(course);
    else if (known === undefined || countValues(course) >= countValues(known)) series.set(metric, course);
  }
  return { series, dropped };
}

export function countValues(series: Series | undefined): number {
  return series?.buckets.reduce((sum, { count }) => sum + count, 0) ?? 0;
}
