import { expect, it } from "vitest";
import { formatAge, formatMoment } from "./format-time.ts";

it("shows a time as the clock on the wall does, with its age", () => {
  const then = new Date(2026, 0, 5, 9, 7).toISOString();
  const after = (seconds: number) => new Date(Date.parse(then) + seconds * 1000);
  expect(formatMoment(then, after(200))).toBe("2026-01-05 09:07 (3 min ago)");
  const ages = { 0: "0 s ago", 59: "59 s ago", 60: "1 min ago", 7200: "2 h ago", 200000: "2 d ago" };
  for (const [seconds, age] of Object.entries(ages))
    expect(formatAge(then, after(Number(seconds)))).toBe(age);
  expect(formatAge(then, after(-5))).toBe("0 s ago");
});
