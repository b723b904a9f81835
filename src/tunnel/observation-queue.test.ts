import { expect, test } from "vitest";
import { ObservationQueue } from "./observation-queue.ts";

const MiB = 1024 * 1024;

test("what waits is taken in order, and no more waits than may", () => {
  const queue = new ObservationQueue();
  const add = (cameMs: number) => queue.add({ observation: Uint8Array.of(cameMs), cameMs });
  expect(Array.from({ length: 100 }, (_, number) => add(number)).lastIndexOf(true)).toBe(63);
  expect([queue.take()?.cameMs, queue.take()?.cameMs]).toEqual([0, 1]);
  expect([add(2), add(3), add(4)]).toEqual([true, true, false]);
  queue.clear();
  expect([queue.take(), add(5)]).toEqual([undefined, true]);
});

test("neither do more bytes, but one observation of any size", () => {
  const queue = new ObservationQueue();
  const add = (sizeMiB: number) => queue.add({ observation: new Uint8Array(sizeMiB * MiB), cameMs: 0 });
  expect([add(300), add(1)]).toEqual([true, false]);
  queue.take();
  expect([add(200), add(56), add(1)]).toEqual([true, true, false]);
  queue.clear();
  expect(add(256)).toBe(true);
});
