import { expect, it } from "vitest";
import { makeExchange, makeGoodEvidence, makeTunnel } from "../../../test/support/made-up-evidence.ts";
import { applyChecks, isPassed } from "../../supervise/rehearse/check-row.ts";
import { listChecks } from "../../supervise/rehearse/checks/table.ts";
import type { Evidence } from "../../supervise/rehearse/evidence.ts";
import { makeRehearsalDocument } from "../../supervise/rehearse/make-document.ts";
import { formatRehearsal } from "./format-rehearsal.ts";

const show = (columns: number, more: Partial<Evidence> = {}) => {
  const evidence = makeGoodEvidence(more);
  const checks = applyChecks(listChecks("g2"), evidence);
  return formatRehearsal(
    makeRehearsalDocument({ passed: isPassed(checks), checks, evidence, tookMs: 4321 }),
    columns,
  );
};
const broken = {
  exchanges: [
    makeExchange({
      issues: [
        { level: "hard", name: "arm-width", path: "x", sentence: "result.left_arm.values[0] has 6 numbers" },
      ],
    }),
    ...makeGoodEvidence().exchanges.slice(1),
  ],
};

it("names every check once, and ends with what it means", () => {
  const lines = show(80);
  for (const { name } of listChecks("g2")) {
    expect(
      lines.filter((line) => new RegExp(`[✓✗!–] ${name}( |$)`).test(line)),
      name,
    ).toHaveLength(1);
  }
  expect(lines.slice(-4)).toEqual([
    expect.stringMatching(/^\d+ passed, 0 failed, 0 to look at, 0 not looked at, in 4.3 s\.$/),
    "27 of 27 observations were answered: p50 12 ms, p95 12 ms, p99 12 ms, the",
    "slowest 12 ms; the first took 12 ms.",
    "Ready for a submission.",
  ]);
});

it("what failed says what was seen and what to do; what depends on it stands on one line", () => {
  const lines = show(120, broken);
  const at = lines.findIndex((line) => line.startsWith("  ✗ arm-width"));
  expect(lines[at]).toContain("result.left_arm.values[0] has 6 numbers");
  expect(lines[at + 1]).toMatch(/^ {20,}The simulator fails here/);
  expect(lines.join(" ")).toMatch(/– finite, magnitude, .*\(depends on arm-width\)/s);
  expect(lines.at(-1)).toBe("Not ready: repair what is marked ✗ before a submission.");
});

it("a subject of which nothing was looked at takes one line", () => {
  const lines = show(80, { tunnels: [], exchanges: [], probes: [], cuts: [] });
  const at = lines.indexOf("Link and cuts");
  expect(lines[at + 1]).toMatch(/^ {2}– none of these \d+ was looked at$/);
  expect(lines[at + 2]).toBe("");
});

it("a soft finding is marked ! and passes", () => {
  const lines = show(80, { tunnels: [makeTunnel({ earlyReadies: 1 })] });
  expect(lines.join("\n")).toMatch(/ {2}! ready-after-warmup/);
  expect(lines.at(-1)).toMatch(/^Ready for a submission, but /);
});

it.each([60, 80, 200])("fits %i columns", (columns) => {
  for (const line of [...show(columns), ...show(columns, broken)])
    expect(line.length).toBeLessThanOrEqual(columns);
});
