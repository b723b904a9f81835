import { isListOf, isNumber, isOneOf, isOrNull, isShape, isText } from "../../base/shape.ts";
import { decodeNumber, encodeNumber, isJsonNumber, type JsonNumber } from "../encode-number.ts";
import type { Bucket } from "./bucket.ts";
import type { Series } from "./series.ts";
import { makeSeriesSet, type SeriesSet } from "./series-set.ts";

/** A bucket as a list: short, since a run has many. The order is that of `listBucket`. */
type BucketList = [number, number, number | null, number | null, JsonNumber, ...(number | null)[]];

/** A set of series as the store keeps it: plain JSON. */
export interface StoredSeriesSet {
  readonly schema: 1;
  readonly dropped: number;
  readonly series: readonly { metric: string; stride: number; buckets: BucketList[] }[];
}

const isStored = isShape<StoredSeriesSet>({
  schema: isOneOf(1),
  dropped: isNumber,
  series: isListOf(isShape({ metric: isText, stride: isNumber, buckets: isListOf(isBucketList) })),
});

export function encodeSeriesSet({ series, dropped }: SeriesSet): StoredSeriesSet {
  return {
    schema: 1,
    dropped,
    series: [...series.values()].map(({ metric, stride, buckets }) => ({
      ...{ metric, stride },
      buckets: buckets.map(listBucket),
    })),
  };
}

/** An empty set where it is none, or one of a later version. */
export function decodeSeriesSet(stored: unknown): SeriesSet {
  if (!isStored(stored)) return makeSeriesSet();
  const series = stored.series.map(({ metric, stride, buckets }): [string, Series] => [
    metric,
    { metric, stride, buckets: buckets.map(readBucket) },
  ]);
  return { series: new Map(series), dropped: stored.dropped };
}

function listBucket(bucket: Bucket): BucketList {
  const { count, notFinite, min, max, last, step, epoch, atMs, lastStep, lastEpoch } = bucket;
  return [count, notFinite, min, max, encodeNumber(last), step, epoch, atMs, lastStep, lastEpoch];
}

function readBucket(list: BucketList): Bucket {
  const [
    count,
    notFinite,
    min,
    max,
    last,
    step = null,
    epoch = null,
    atMs = null,
    lastStep = null,
    lastEpoch = null,
  ] = list;
  return { count, notFinite, min, max, last: decodeNumber(last), step, epoch, atMs, lastStep, lastEpoch };
}

function isBucketList(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 10) return false;
  const [count, notFinite, min, max, last, ...places] = value;
  return (
    [count, notFinite].every(isNumber) &&
    isJsonNumber(last) &&
    [min, max, ...places].every(isOrNull(isNumber))
  );
}
