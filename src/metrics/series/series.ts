import type { MetricPoint } from "../metric-point.ts";
import { type Bucket, growBucket, joinBuckets, makeBucket, type OpenBucket } from "./bucket.ts";

/** Of how many buckets a series has at most, unless said otherwise. */
export const MOST_BUCKETS = 256;

/**
 * All that was said of one metric, in bounded room: what is left out is between a bucket's smallest and largest value, never
 * beyond them. Every bucket but the last holds `stride` points, so that which points came together depends on their order alone.
 */
export interface Series {
  readonly metric: string;
  readonly stride: number;
  readonly buckets: readonly Bucket[];
}

export function makeSeries(metric: string): Series {
  return { metric, stride: 1, buckets: [] };
}

/** How many points were added, how many of them are not finite, and the edges of those that are. */
export function sumUpSeries({ buckets }: Series): Bucket | null {
  return buckets.length === 0 ? null : buckets.reduce(joinBuckets);
}

/** The series with these points after its own. Points of other metrics are not looked at. */
export function addPoints(
  series: Series,
  points: readonly MetricPoint[],
  mostBuckets = MOST_BUCKETS,
): Series {
  const buckets = [...series.buckets];
  let { stride } = series;
  let open = openLast(buckets);
  for (const point of points) {
    if (point.metric !== series.metric) continue;
    if (open !== null && open.count >= stride && buckets.length >= mostBuckets) {
      joinPairs(buckets);
      stride *= 2;
      open = openLast(buckets);
    }
    if (open !== null && open.count < stride) growBucket(open, point);
    else {
      open = makeBucket(point);
      buckets.push(open);
    }
  }
  return { metric: series.metric, stride, buckets };
}

/** Puts a copy of the last bucket in its place, to be filled further. */
function openLast(buckets: Bucket[]): OpenBucket | null {
  const last = buckets.pop();
  if (last === undefined) return null;
  const open = { ...last };
  buckets.push(open);
  return open;
}

/** Halves the number of buckets: each two neighbours become one. */
function joinPairs(buckets: Bucket[]): void {
  const joined: Bucket[] = [];
  for (let index = 0; index < buckets.length; index += 2) {
    const [first, second] = [buckets[index] as Bucket, buckets[index + 1]];
    joined.push(second === undefined ? first : joinBuckets(first, second));
  }
  buckets.splice(0, buckets.length, ...joined);
}
