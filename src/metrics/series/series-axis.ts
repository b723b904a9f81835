import type { Bucket } from "./bucket.ts";
import type { Series } from "./series.ts";

/** What a series is drawn over: its steps or epochs, where all its points tell one and none goes back, else its points. */
export type AxisKind = "step" | "epoch" | "point";

export interface SeriesAxis {
  readonly kind: AxisKind;
  /** The place of each bucket's first point, and of the last point of all. */
  readonly places: readonly number[];
  readonly end: number;
}

/** The best axis for a series. Steps that begin anew with each epoch, as bars count them, are no axis. */
export function chooseAxis({ buckets }: Series): SeriesAxis {
  return (
    readAxis(
      buckets,
      "step",
      ({ step }) => step,
      ({ lastStep }) => lastStep,
    ) ??
    readAxis(
      buckets,
      "epoch",
      ({ epoch }) => epoch,
      ({ lastEpoch }) => lastEpoch,
    ) ??
    countPoints(buckets)
  );
}

function readAxis(
  buckets: readonly Bucket[],
  kind: AxisKind,
  readFirst: (bucket: Bucket) => number | null,
  readLast: (bucket: Bucket) => number | null,
): SeriesAxis | null {
  const places: number[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const bucket of buckets) {
    const [first, last] = [readFirst(bucket), readLast(bucket)];
    if (first === null || last === null || first < end || last < first) return null;
    places.push(first);
    end = last;
  }
  const moves = buckets.length < 2 || end > (places[0] as number);
  return buckets.length > 0 && moves ? { kind, places, end } : null;
}

/** An axis that every series has: its points, counted from 1. */
export function countPoints(buckets: readonly Bucket[]): SeriesAxis {
  let before = 0;
  const places = buckets.map(({ count }) => {
    before += count;
    return before - count + 1;
  });
  return { kind: "point", places, end: before };
}
