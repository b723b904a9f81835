import { setLongTimeout } from "./long-timeout.ts";

/** Time as an argument: tests pass their own. */
export interface Clock {
  now(): Date;
  /** Milliseconds that never run backwards. */
  monotonicMs(): number;
  /** Resolves after `ms`, of whatever length, or at once when the signal aborts (it never rejects). */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const finish = () => {
        timer.clear();
        signal?.removeEventListener("abort", finish);
        resolve();
      };
      const timer = setLongTimeout(finish, ms);
      signal?.addEventListener("abort", finish, { once: true });
    }),
};

/** Holds this whole thread for `ms`: for the few places that open a file or database without a promise. */
export function pauseSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
