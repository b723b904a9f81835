/** A longer name is none: it would be kept, compared and shown, however long it is. */
export const MOST_NAME_LENGTH = 200;

/**
 * One number of an experiment. `value` is as printed, NaN and infinities too. `step` and `epoch` are those that stand
 * beside it (`epoch` may be broken, as Hugging Face prints it), else null. `atMs` is when it was said, in milliseconds
 * since 1970, where its source tells a time with its zone; a time without zone is no time.
 */
export interface MetricPoint {
  readonly metric: string;
  readonly value: number;
  readonly step: number | null;
  readonly epoch: number | null;
  readonly atMs: number | null;
}
