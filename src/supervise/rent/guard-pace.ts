/** How often a guard looks, and how patient it is; in seconds. */
export interface GuardPace {
  readonly lookS: number;
  /** Between two requests for the stop. */
  readonly retryS: number;
  /** Results that nobody has fetched by then are kept on a stopped machine, which costs its disk alone. */
  readonly uncollectedS: number;
  /** Without a start of the run, and without a word from home that it is at work there. */
  readonly unstartedS: number;
  /** With no GPU at work while the run lives. */
  readonly idleS: number;
}

export const GUARD_PACE: GuardPace = {
  ...{ lookS: 10, retryS: 30 },
  ...{ uncollectedS: 1800, unstartedS: 1800, idleS: 3600 },
};
