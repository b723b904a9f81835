import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { systemClock } from "./clock.ts";
import { setLongTimeout } from "./long-timeout.ts";

const DAY_MS = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

it.each([0, 1, 2 ** 31 - 1, 2 ** 31, 30 * DAY_MS, 365 * DAY_MS])("a timer fires once, after %d ms", (ms) => {
  const fire = vi.fn();
  setLongTimeout(fire, ms);
  vi.advanceTimersByTime(Math.max(0, ms - 1));
  expect(fire).toHaveBeenCalledTimes(ms === 0 ? 1 : 0);
  vi.advanceTimersByTime(400 * DAY_MS);
  expect(fire).toHaveBeenCalledTimes(1);
});

it("a timer is cleared in any of its parts", () => {
  const fire = vi.fn();
  const timer = setLongTimeout(fire, 60 * DAY_MS);
  vi.advanceTimersByTime(40 * DAY_MS);
  timer.clear();
  vi.advanceTimersByTime(40 * DAY_MS);
  expect(fire).not.toHaveBeenCalled();
});

it("the system's clock sleeps for as long as it was asked to, and leaves no timer when it is called off", async () => {
  const woken = vi.fn();
  const calledOff = vi.fn();
  const abort = new AbortController();
  void systemClock.sleep(30 * DAY_MS).then(woken);
  void systemClock.sleep(365 * DAY_MS, abort.signal).then(calledOff);
  await vi.advanceTimersByTimeAsync(30 * DAY_MS - 1);
  expect(woken).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(woken).toHaveBeenCalledTimes(1);
  abort.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(calledOff).toHaveBeenCalledTimes(1);
});
