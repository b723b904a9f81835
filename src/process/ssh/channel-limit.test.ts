import { expect, test } from "vitest";
import { makeChannelLimit } from "./channel-limit.ts";

test("so many go at once, and the others in their order", async () => {
  const limit = makeChannelLimit(2);
  const gone: number[] = [];
  const places = [1, 2, 3, 4].map(async (number) => {
    const giveBack = await limit.take(10_000);
    gone.push(number);
    return giveBack as () => void;
  });
  const [first, second] = [await places[0], await places[1]];
  expect(gone).toEqual([1, 2]);
  second?.();
  second?.(); // a place is given back once
  (await places[2])?.();
  (await places[3])?.();
  first?.();
  expect(gone).toEqual([1, 2, 3, 4]);
});

test("who waits too long, or is called off, takes nobody's place", async () => {
  const limit = makeChannelLimit(1);
  const giveBack = await limit.take(1000);
  const aborter = new AbortController();
  const [late, off] = [limit.take(5), limit.take(10_000, aborter.signal)];
  aborter.abort();
  expect([await late, await off, await limit.take(10, aborter.signal)]).toEqual([null, null, null]);
  giveBack?.();
  expect(await limit.take(1000)).not.toBeNull();
});
