import { expect, it } from "vitest";
import { Scheduler } from "./scheduler.ts";

function makeScheduler(cases: string[]) {
  const played: string[] = [];
  return {
    played,
    scheduler: new Scheduler<string, string>(cases, (agent, what) => played.push(`${agent} ${what}`)),
  };
}

it("cases and agents meet in the order in which they came", () => {
  const { scheduler, played } = makeScheduler(["1", "2"]);
  expect([scheduler.offer("a"), scheduler.offer("b"), scheduler.offer("c")]).toEqual([true, true, false]);
  expect(played).toEqual(["a 1", "b 2"]);
});

it("nobody plays what was taken back", () => {
  const { scheduler, played } = makeScheduler(["1", "2", "3"]);
  scheduler.offer("a");
  expect(scheduler.stop()).toEqual(["2", "3"]);
  expect(scheduler.offer("b")).toBe(false);
  scheduler.withdraw("b");
  expect(played).toEqual(["a 1"]);
});
