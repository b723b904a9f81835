import { expect, it } from "vitest";
import { makeNewRun } from "../../runs/new-run.ts";
import { formatEnding, formatOutcome } from "./format-ending.ts";

const run = makeNewRun({
  id: "r1",
  name: "mine",
  plan: "p1",
  target: "local",
  kind: "local",
  host: "here",
  request: {} as never,
  environment: { label: "", python: null },
  git: null,
  createdAt: "",
  jobFolder: "/jobs/r1",
  expected: { seconds: null, source: "unknown" },
  notes: ["shown before"],
  launcher: {} as never,
  startIntentAt: null,
});

it("lets nothing of a file's name reach the terminal raw", () => {
  const odd = "a \u001b[31mred\u001b[0m name";
  const outcome = formatOutcome(
    { ...run, collectFault: odd, cause: odd, evidence: odd, nextStep: odd, log: odd, notes: [odd] },
    { logTail: [odd] },
  );
  expect(outcome.join("\n")).not.toContain("\u001b");
  expect(outcome.join("\n")).toContain("red");
});

it("says what was doubtful about the results, not again what the plan said", () => {
  const notes = [...run.notes, "gone before it could be brought home: results/x"];
  expect(formatOutcome({ ...run, notes }, { known: run.notes })).toContain(
    "  note      gone before it could be brought home: results/x",
  );
  expect(formatOutcome({ ...run, notes }, { known: run.notes }).join("\n")).not.toContain("shown before");
});

it("does not say twice that it was stopped", () => {
  const stopped = { ...run, state: "stopped", durationS: 3 } as const;
  expect(formatEnding({ ...stopped, endReason: "stopped" })).toBe("stopped after 3 s");
  expect(formatEnding({ ...stopped, endReason: "hang_up" })).toBe(
    "stopped after 3 s: its screen window was closed",
  );
});
