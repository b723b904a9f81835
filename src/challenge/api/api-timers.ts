/** All in milliseconds. */
export interface ApiTimers {
  /** For one request, to the last byte of its reply. */
  readonly requestMs: number;
  /** The pause before the first retry; each next one is twice as long, up to `retryMostMs`. */
  readonly retryFirstMs: number;
  readonly retryMostMs: number;
  /** No retry begins later than this after the first try: a gateway that starts again is back by then. */
  readonly retryTotalMs: number;
  /** A login token is refreshed when it ends within this time. */
  readonly refreshBeforeMs: number;
}

export const defaultApiTimers: ApiTimers = {
  requestMs: 20_000,
  retryFirstMs: 500,
  retryMostMs: 8_000,
  retryTotalMs: 45_000,
  refreshBeforeMs: 300_000,
};
