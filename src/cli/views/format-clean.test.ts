import { expect, it } from "vitest";
import type { CleanPlan } from "../../supervise/clean-runs.ts";
import { formatClean } from "./format-clean.ts";

const now = new Date("2026-01-09T12:00:00Z");
const runs = Array.from({ length: 9 }, (_, index) => ({
  name: `run-${index}`,
  state: "succeeded",
  jobFolder: `/jobs/${index}`,
  endedAt: `2026-01-0${index < 4 ? 8 : 2}T12:00:0${index}Z`,
}));
const format = (count: number) =>
  formatClean({ runs: runs.slice(0, count), lost: [], away: [] } as unknown as CleanPlan, now, 80);

it("counts many runs, and names few, within the terminal's width", () => {
  expect(format(9)).toEqual(["  forget 9 runs, the oldest ended 6 d ago, with job folder and record"]);
  expect(format(2)).toEqual(["  forget run-0 (succeeded), run-1 (succeeded), with job folder and record"]);
  expect(Math.max(...format(8).map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(format(0)).toEqual([]);
});
