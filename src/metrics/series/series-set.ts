import type { MetricPoint } from "../metric-point.ts";
import { addPoints, MOST_BUCKETS, makeSeries, type Series } from "./series.ts";

/** The metrics of one run, by name in the order in which they first came. `dropped`: points of metrics beyond the limit. */
export interface SeriesSet {
  readonly series: ReadonlyMap<string, Series>;
  readonly dropped: number;
}

/** A log that makes a new name of every line must not fill the store. */
export const MOST_METRICS = 200;

export function makeSeriesSet(): SeriesSet {
  return { series: new Map(), dropped: 0 };
}

/** The set with these points after its own. */
export function addToSet(
  set: SeriesSet,
  points: readonly MetricPoint[],
  mostBuckets = MOST_BUCKETS,
): SeriesSet {
  const series = new Map(set.series);
  let { dropped } = set;
  for (const [metric, own] of groupByMetric(points)) {
    const known = series.get(metric);
    if (known === undefined && series.size >= MOST_METRICS) dropped += own.length;
    else series.set(metric, addPoints(known ?? makeSeries(metric), own, mostBuckets));
  }
  return { series, dropped };
}

function groupByMetric(points: readonly MetricPoint[]): Map<string, MetricPoint[]> {
  const groups = new Map<string, MetricPoint[]>();
  for (const point of points) {
    const group = groups.get(point.metric);
    if (group === undefined) groups.set(point.metric, [point]);
    else group.push(point);
  }
  return groups;
}
