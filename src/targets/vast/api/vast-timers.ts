export interface VastTimers {
  /** For one request, from the connection to the last byte of the reply. */
  readonly requestMs: number;
  /** A create is answered only once the machine is reserved. */
  readonly createMs: number;
  /** Before the first retry; each further pause is twice as long, up to the most. */
  readonly retryFirstMs: number;
  readonly retryMostMs: number;
  /** No retry begins later than this after the first request. */
  readonly retryTotalMs: number;
}

/** The vendor limits how often one may ask, and does not say for how long. */
export const defaultTimers: VastTimers = {
  requestMs: 60_000,
  createMs: 120_000,
  retryFirstMs: 1_000,
  retryMostMs: 15_000,
  retryTotalMs: 90_000,
};
