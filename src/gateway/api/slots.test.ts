import { expect, it } from "vitest";
import { Slots } from "./slots.ts";

const never = new AbortController().signal;
const patient = { sleep: () => new Promise<void>(() => undefined) };

it("gives out so many at a time, and the next ones in order", async () => {
  const slots = new Slots(2, patient);
  expect(await Promise.all([slots.take(never), slots.take(never)])).toEqual([true, true]);
  const served: string[] = [];
  const others = ["third", "fourth"].map((name) => slots.take(never).then((had) => had && served.push(name)));
  slots.giveBack();
  await others[0];
  expect(served).toEqual(["third"]);
  slots.giveBack();
  await others[1];
  slots.giveBack();
  slots.giveBack();
  expect(await Promise.all([slots.take(never), slots.take(never)])).toEqual([true, true]);
});

it("gives none to one who left, or whose time has passed, and loses none by it", async () => {
  const leaving = new AbortController();
  const slots = new Slots(1, patient);
  await slots.take(never);
  const left = slots.take(leaving.signal);
  leaving.abort();
  expect([await left, await slots.take(leaving.signal)]).toEqual([false, false]);
  slots.giveBack();
  expect(await slots.take(never)).toBe(true);
  const hasty = new Slots(1, { sleep: async () => undefined });
  expect([await hasty.take(never), await hasty.take(never)]).toEqual([true, false]);
  hasty.giveBack();
  expect(await hasty.take(never)).toBe(true);
});
