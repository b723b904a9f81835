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

/**
 * Steps a second between two marks of a log, of the first metric that has steps: null where none was made, or where they began anew.
 * A log tells seldom when a line was written; the samples beside it do.
 */
export function measureSpeed(
  before: StepAtTime | null,
  set: SeriesSet,
  atMs: number,
): { readonly now: StepAtTime | null; readonly point: MetricPoint | null } {
  const now = findStep(set, atMs);
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

function findStep({ series }: SeriesSet, atMs: number): StepAtTime | null {
  for (const [metric, course] of series) {
    const step = course.buckets.at(-1)?.lastStep ?? null;
    if (step !== null) return { metric, step, atMs };
  }
  return null;
}
