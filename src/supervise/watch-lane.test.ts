import { expect, it } from "vitest";
import { endWork, isDue, isGivenUp, type LaneEnd, makeLane } from "./watch-lane.ts";

/** Looks again whenever it is due, and answers with the pauses between. */
function listPauses(ends: readonly LaneEnd[], { seen = "", mostMs = Number.POSITIVE_INFINITY } = {}) {
  const lane = makeLane();
  const pauses = ends.map((end) => {
    const nowMs = lane.dueMs;
    endWork(lane, end, { seen, mostMs, nowMs });
    return Math.round(lane.dueMs - nowMs);
  });
  return { lane, pauses };
}
const times = (count: number, end: LaneEnd) => Array.from({ length: count }, () => end);

it("a host where nothing happens is asked every ten seconds at last", () => {
  const { pauses } = listPauses(times(20, "answered"));
  expect(pauses.slice(0, 3)).toEqual([1300, 1690, 2197]);
  expect(pauses.at(-1)).toBe(10_000);
});

it("those who wait in line are not kept waiting for longer than they may be", () => {
  expect(listPauses(times(20, "answered"), { mostMs: 2000 }).pauses.at(-1)).toBe(2000);
});

it("a host that does not answer is asked once a minute at last, and at once closely when it does again", () => {
  const { pauses } = listPauses([...times(10, "silent"), "answered", "answered"]);
  expect(pauses.slice(0, 4)).toEqual([2000, 4000, 8000, 16_000]);
  expect(pauses.slice(-3)).toEqual([60_000, 1000, 1300]);
});

it("news of its runs that another process brought make it due, but not while it works", () => {
  const { lane } = listPauses(["answered"], { seen: "r1 running" });
  expect(isDue(lane, "r1 running", lane.dueMs - 1)).toBe(false);
  expect(isDue(lane, "r1 failed", lane.dueMs - 1)).toBe(true);
  lane.busy = Promise.resolve();
  expect(isDue(lane, "r1 failed", lane.dueMs + 1)).toBe(false);
});

it("a host without a word for seven days is given up, one that fails otherwise is not", () => {
  const days = (count: number) => count * 24 * 60 * 60 * 1000;
  const { lane } = listPauses(times(5, "silent"));
  expect(isGivenUp(lane, days(6.9))).toBe(false);
  expect(isGivenUp(lane, days(7.1))).toBe(true);
  expect(isGivenUp(listPauses(times(5, "failed")).lane, days(8))).toBe(false);
  expect(isGivenUp(undefined, days(8))).toBe(false);
});

it("faults in a row are counted, and the last one is kept", () => {
  const { lane } = listPauses(times(3, "failed"));
  expect(lane.faults).toBe(3);
  endWork(lane, "answered", { seen: "", mostMs: 1, nowMs: 0 });
  expect(lane).toMatchObject({ faults: 0, fault: undefined });
});
