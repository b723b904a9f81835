import type { Bucket } from "../series/bucket.ts";
import { type Series, sumUpSeries } from "../series/series.ts";
import { findDirection } from "./metric-direction.ts";

/** What is wrong with a curve, in a word for programs and a sentence for people. */
export interface SeriesFlag {
  readonly kind: "not_finite" | "diverged" | "plateau";
  readonly text: string;
}

/** Fewer stretches than these say nothing of where a curve goes. */
const LEAST_FOR_DIVERGENCE = 10;
const LEAST_FOR_PLATEAU = 20;
/** The share of the curve that counts as its beginning and as its end. */
const END_SHARE = 0.1;
/** Diverged: so much of what had been gained is lost again. */
const LOST_SHARE = 0.8;
/** Less than this share of the first value is no gain. */
const LEAST_GAIN = 0.05;
/** Diverged where nothing was gained: worse than at the beginning by this share of it. */
const WORSE_SHARE = 0.1;
/** Plateau: in this last part of the curve ... */
const PLATEAU_SHARE = 0.3;
/** ... the best value got better by less than this share of all that was gained. */
const PLATEAU_GAIN = 0.01;

type Rule = (series: Series) => SeriesFlag | null;

const RULES: readonly Rule[] = [flagNotFinite, flagDivergence, flagPlateau];

/** All flags of a series; of divergence and plateau one at most. */
export function judgeSeries(series: Series): SeriesFlag[] {
  const flags = RULES.flatMap((rule) => rule(series) ?? []);
  const hasDiverged = flags.some(({ kind }) => kind === "diverged");
  return flags.filter(({ kind }) => kind !== "plateau" || !hasDiverged);
}

/** Any value that is NaN or infinite. */
function flagNotFinite(series: Series): SeriesFlag | null {
  const sum = sumUpSeries(series);
  const first = series.buckets.find(({ notFinite }) => notFinite > 0);
  if (sum === null || first === undefined) return null;
  const place = first.step === null ? "" : `, the first at step ${first.step} or soon after`;
  return { kind: "not_finite", text: `${sum.notFinite} of ${sum.count} values are NaN or infinite${place}` };
}

/**
 * At least 10 stretches; at the end (median of the last tenth) more than 80 % of what had been gained since the beginning (median of
 * the first tenth) is lost again, or, where less than 5 % was gained, it is worse than the beginning by 10 % of it.
 */
function flagDivergence(series: Series): SeriesFlag | null {
  const values = listFalling(series);
  if (values === null || values.length < LEAST_FOR_DIVERGENCE) return null;
  const { first, best, last } = findEnds(values);
  const gained = first - best;
  const hasGained = gained > LEAST_GAIN * Math.abs(first);
  const isWorse = hasGained
    ? last - best > LOST_SHARE * gained
    : last - first > WORSE_SHARE * Math.max(Math.abs(first), Number.EPSILON);
  if (!isWorse) return null;
  const text = hasGained ? "most of what had been gained is lost again" : "it gets worse from the beginning";
  return { kind: "diverged", text };
}

/** At least 20 stretches; in the last 30 % the best value got better by less than 1 % of all that was gained. */
function flagPlateau(series: Series): SeriesFlag | null {
  const values = listFalling(series);
  if (values === null || values.length < LEAST_FOR_PLATEAU) return null;
  const { first } = findEnds(values);
  const start = Math.floor(values.length * (1 - PLATEAU_SHARE));
  const before = Math.min(...values.slice(0, start));
  const after = Math.min(...values.slice(start));
  if (before - after >= PLATEAU_GAIN * Math.max(first - Math.min(before, after), 0) && before !== after)
    return null;
  return {
    kind: "plateau",
    text: `no better in the last ${Math.round(100 * PLATEAU_SHARE)} % of its course`,
  };
}

/** The last finite value of each stretch, turned so that lower is better; null where the name does not tell. */
function listFalling({ metric, buckets }: Series): number[] | null {
  const direction = findDirection(metric);
  if (direction === null) return null;
  const sign = direction === "lower" ? 1 : -1;
  return buckets.map(findValue).flatMap((value) => (value === null ? [] : [sign * value]));
}

function findValue({ last, max }: Bucket): number | null {
  return Number.isFinite(last) ? last : max;
}

function findEnds(values: readonly number[]) {
  const size = Math.max(1, Math.round(values.length * END_SHARE));
  return {
    first: findMedian(values.slice(0, size)),
    best: Math.min(...values),
    last: findMedian(values.slice(-size)),
  };
}

function findMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}
