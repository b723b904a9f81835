import { type Clock, systemClock } from "../../src/base/clock.ts";

/** The system's clock, on which whoever sleeps is awake at once and so much time has passed; `pass` is told each time. */
export function makeQuickClock(pass: (ms: number) => void): Clock {
  let passedMs = 0;
  return {
    now: () => new Date(Date.now() + passedMs),
    monotonicMs: () => systemClock.monotonicMs() + passedMs,
    sleep: async (ms, signal) => {
      if (signal?.aborted) return;
      passedMs += ms;
      pass(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
