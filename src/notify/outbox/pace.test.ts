import fc from "fast-check";
import { expect, it } from "vitest";
import { pauseChannel } from "./back-off.ts";
import { freshChannel } from "./outbox.ts";
import { reserveSend } from "./pace.ts";

const limits = [
  { calls: 5, withinMs: 1_000 },
  { calls: 100, withinMs: 60_000 },
];

it("never lets more through than each limit allows, and nothing before its time", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 300 }), (gaps) => {
      let state = freshChannel;
      let nowMs = 1_000_000;
      const sends: number[] = [];
      for (const gap of gaps) {
        const slot = reserveSend(state, { nowMs: nowMs + gap, limits });
        expect(slot.atMs).toBeGreaterThanOrEqual(nowMs + gap);
        nowMs = slot.atMs;
        state = slot.state;
        sends.push(slot.atMs);
      }
      for (const { calls, withinMs } of limits) {
        const tooSoon = sends.filter((at, index) => at - (sends[index - calls] ?? -1e9) < withinMs);
        expect(tooSoon).toEqual([]);
      }
    }),
    { numRuns: 50 },
  );
});

it("lets go of times that a clock set back since has left", () => {
  const state = { ...freshChannel, sendsMs: Array.from({ length: 200 }, () => 9e12) };
  expect(reserveSend(state, { nowMs: 1_000_000, limits }).atMs).toBe(1_000_000);
});

it("leaves a channel alone for twice as long each time, at most a quarter of an hour or as long as it asks for", () => {
  let state = freshChannel;
  const pauses = Array.from({ length: 10 }, () => {
    state = pauseChannel(state, 0);
    return state.pausedUntilMs / 1000;
  });
  expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 640, 900, 900, 900]);
  expect(pauseChannel(freshChannel, 0, 52_000).pausedUntilMs).toBe(52_000);
  expect(pauseChannel(freshChannel, 0, 1e12).pausedUntilMs).toBe(3_600_000);
});
