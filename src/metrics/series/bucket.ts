import type { MetricPoint } from "../metric-point.ts";

/**
 * A stretch of points in the order in which they came. Smallest and largest are those of its finite values, null where it has
 * none; `last` is its last value, whatever it is.
 */
export interface Bucket {
  readonly count: number;
  /** How many of its values are NaN or infinite. */
  readonly notFinite: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly last: number;
  /** The place of its first point; `lastStep` and `lastEpoch` that of its last. */
  readonly step: number | null;
  readonly epoch: number | null;
  readonly atMs: number | null;
  readonly lastStep: number | null;
  readonly lastEpoch: number | null;
}

export function makeBucket({ value, step, epoch, atMs }: MetricPoint): OpenBucket {
  const edge = Number.isFinite(value) ? value : null;
  return {
    count: 1,
    notFinite: edge === null ? 1 : 0,
    min: edge,
    max: edge,
    last: value,
    step,
    epoch,
    atMs,
    lastStep: step,
    lastEpoch: epoch,
  };
}

/** A bucket that is still being filled. */
export type OpenBucket = { -readonly [Key in keyof Bucket]: Bucket[Key] };

/** Adds a point to a bucket that nobody else holds: logs have millions of them, and a copy for each would cost most. */
export function growBucket(bucket: OpenBucket, { value, step, epoch }: MetricPoint): void {
  bucket.count += 1;
  bucket.last = value;
  bucket.lastStep = step;
  bucket.lastEpoch = epoch;
  if (!Number.isFinite(value)) bucket.notFinite += 1;
  else {
    if (bucket.min === null || value < bucket.min) bucket.min = value;
    if (bucket.max === null || value > bucket.max) bucket.max = value;
  }
}

/** Two stretches, the second after the first, as one. */
export function joinBuckets(first: Bucket, second: Bucket): Bucket {
  return {
    ...first,
    count: first.count + second.count,
    notFinite: first.notFinite + second.notFinite,
    min: choose(first.min, second.min, Math.min),
    max: choose(first.max, second.max, Math.max),
    last: second.last,
    lastStep: second.lastStep,
    lastEpoch: second.lastEpoch,
  };
}

function choose(a: number | null, b: number | null, pick: (a: number, b: number) => number): number | null {
  if (a === null || b === null) return a ?? b;
  return pick(a, b);
}
