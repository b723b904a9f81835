import { expect, it } from "vitest";
import type { Clock } from "../../base/clock.ts";
import { findLongestMs, rehearsalLimits } from "./rehearse-options.ts";
import { waitUntil } from "./wait-until.ts";

/** A clock that goes on only where somebody sleeps. */
function makeClock(): Clock {
  let nowMs = 0;
  return {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
    },
  };
}

it("asks until it is so, the time is over, or nobody wants to know any more", async () => {
  const clock = makeClock();
  expect(await waitUntil(clock, () => clock.monotonicMs() >= 500, { timeoutMs: 1_000 })).toBe(true);
  expect(clock.monotonicMs()).toBe(500);
  expect(await waitUntil(clock, () => false, { timeoutMs: 1_000 })).toBe(false);
  expect(clock.monotonicMs()).toBe(1_500);
  const signal = AbortSignal.abort();
  expect(await waitUntil(clock, () => false, { timeoutMs: 1_000, signal })).toBe(false);
  expect(clock.monotonicMs()).toBe(1_500);
});

it("a rehearsal has an end that its limits give, even where every one of them is reached", () => {
  const longestMs = findLongestMs(rehearsalLimits);
  expect(longestMs).toBeGreaterThan(rehearsalLimits.loadMs + 30 * rehearsalLimits.replyMs);
  expect(longestMs).toBeLessThan(2 * 3600 * 1000);
});
