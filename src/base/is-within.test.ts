import { expect, it, vi } from "vitest";
import type { Clock } from "./clock.ts";
import { isWithin } from "./is-within.ts";

/** Time passes when it is told to; a sleep that was called off ends at once. */
function makeClock() {
  const sleeps: { ms: number; wake: () => void; signal: AbortSignal | undefined }[] = [];
  const sleep = vi.fn((ms: number, signal?: AbortSignal) => {
    return new Promise<void>((wake) => sleeps.push({ ms, wake, signal }));
  });
  const clock: Clock = { now: () => new Date(0), monotonicMs: () => 0, sleep };
  return { clock, sleeps };
}

it("is true for what comes in time, and leaves no sleep", async () => {
  const { clock, sleeps } = makeClock();
  expect(await isWithin(Promise.resolve(7), 50, clock)).toBe(true);
  expect(sleeps).toMatchObject([{ ms: 50, signal: { aborted: true } }]);
});

it("is false for what does not", async () => {
  const { clock, sleeps } = makeClock();
  const judged = isWithin(new Promise(() => undefined), 50, clock);
  sleeps[0]?.wake();
  expect(await judged).toBe(false);
});

it("rejects with what rejects in time, and leaves no sleep", async () => {
  const { clock, sleeps } = makeClock();
  await expect(isWithin(Promise.reject("broken"), 50, clock)).rejects.toBe("broken");
  expect(sleeps[0]?.signal?.aborted).toBe(true);
});
