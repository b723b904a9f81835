import type { MetricPoint } from "../../metrics/metric-point.ts";
import type { SeriesSet } from "../../metrics/series/series-set.ts";

export const SPEED = "speed/steps_per_sec";

/** When the log was so long, by the samples of its host. */
export interface LogMark {
  readonly atMs: number;
  readonly logBytes: number;
}

/** The step that a metric had reached at a time. */
export interface StepAtTime {
  readonly metric: string;
  readonly step: number;
  readonly atMs: number;
}

/** A metric is gone on with as long as no other is told so many times as often: two of a line are told by turns. */
const OFTEN = 2;

/**
 * Steps a second between two marks of a log, of a metric that is told often: null where none was made, or where they began anew.
 * A log tells seldom when a line was written; the samples beside it do.
 */
export function measureSpeed(
  before: StepAtTime | null,
  set: SeriesSet,
  atMs: number,
): { readonly now: StepAtTime | null; readonly point: MetricPoint | null } {
  const now = findStep(set, before?.metric ?? null, atMs);
  if (now === null || before === null || before.metric !== now.metric || now.step < before.step) {
    return { now, point: null };
  }
  // While nothing is said of new steps they may be made all the same.
  if (now.step === before.step) return { now: before, point: null };
  const seconds = (atMs - before.atMs) / 1000;
  if (seconds <= 0) return { now, point: null };
  const value = (now.step - before.step) / seconds;
  return { now, point: { metric: SPEED, value, step: now.step, epoch: null, atMs } };
}

/** Not the first that comes: it may have been told once, before the training began. */
function findStep({ series }: SeriesSet, known: string | null, atMs: number): StepAtTime | null {
  let chosen: { readonly metric: string; readonly step: number; readonly weight: number } | null = null;
  for (const [metric, { buckets, stride }] of series) {
    const step = buckets.at(-1)?.lastStep ?? null;
    const weight = buckets.length * stride * (metric === known ? OFTEN : 1);
    if (step !== null && weight > (chosen?.weight ?? 0)) chosen = { metric, step, weight };
  }
  return chosen === null ? null : { metric: chosen.metric, step: chosen.step, atMs };
}
