import { describe, expect, it } from "vitest";
import { findMoneyLimitS } from "./make-guard.ts";
import { parseGuardStart, parseGuardState } from "./start-guard.ts";

describe("the time that the money lasts", () => {
  it.each([
    ["two dollars at one per hour", { dollarsPerHour: 1, cap: 2, spent: 0 }, 7200 - 60],
    ["half of it spent", { dollarsPerHour: 1, cap: 2, spent: 1 }, 3600 - 60],
    ["all of it spent", { dollarsPerHour: 1, cap: 2, spent: 2.5 }, 0],
  ])("leaves room for the run's grace time: %s", (_, money, seconds) => {
    const limits = { money, timeS: null, uncollectedS: 1, unstartedS: 1, idle: null };
    expect(findMoneyLimitS({ limits, graceS: 30 })).toBe(seconds);
  });
});

describe("what the guard says of itself", () => {
  const state = { schema: 1, state: "none", reason: "no_key", pid: 7, at: "now", elapsedS: 0, asks: 0 };

  it("is read between the marks", () => {
    const printed = `banner\nbegin=t\nstate=${JSON.stringify(state)}\nwords=no guard: a=b\nend=t\n`;
    expect(parseGuardStart(printed, "t")).toEqual({ state, words: "no guard: a=b" });
    expect(parseGuardStart(printed.replace("end=t", ""), "t")).toBeNull();
  });

  it.each(["", '{"state":"watching"', JSON.stringify({ ...state, state: "asleep" })])(
    "is nothing in %j",
    (text) => {
      expect(parseGuardState(text)).toBeNull();
    },
  );
});
