import type { Percentiles } from "./agent-report.ts";

/** Each step is this much longer than the last: what is told is at most half of it off. */
const STEP = 1.02;
/** Shortest and longest time that are told apart, in milliseconds: a microsecond, and half an hour. */
const LEAST_MS = 0.001;
const MOST_MS = 1_800_000;
const STEPS = Math.ceil(Math.log(MOST_MS / LEAST_MS) / Math.log(STEP)) + 1;

/** Counts times without keeping them: as much memory after a week as at the start. */
export class TimeCounter {
  readonly #counts = new Float64Array(STEPS);
  #count = 0;
  #most = 0;

  get count(): number {
    return this.#count;
  }

  add(ms: number) {
    const step = Math.floor(Math.log(Math.max(ms, LEAST_MS) / LEAST_MS) / Math.log(STEP));
    (this.#counts[Math.min(step, STEPS - 1)] as number) += 1;
    this.#count += 1;
    this.#most = Math.max(this.#most, ms);
  }

  /** Null where nothing was counted. */
  read(): Percentiles | null {
    if (this.#count === 0) return null;
    const max = Number(this.#most.toPrecision(3));
    return { p50: this.#find(0.5), p95: this.#find(0.95), p99: this.#find(0.99), max };
  }

  #find(share: number): number {
    let left = Math.ceil(this.#count * share);
    const step = this.#counts.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    const middle = LEAST_MS * STEP ** (step + 0.5);
    return Number(Math.min(middle, this.#most).toPrecision(3));
  }
}
