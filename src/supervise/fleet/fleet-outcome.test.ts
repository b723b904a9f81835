import { expect, it } from "vitest";
import { describeOutcome, judgeOutcome } from "./fleet-outcome.ts";

const agents = {
  drained: { state: "drained", note: null, hasStarted: true, wasReady: true },
  unstarted: { state: "stopped", note: "it was not started: …", hasStarted: false, wasReady: false },
  stopped: { state: "stopped", note: "stopped by ann", hasStarted: true, wasReady: true },
  refused: {
    state: "failed",
    note: "The gateway h refused this agent (401).",
    hasStarted: true,
    wasReady: false,
  },
  killed: { state: "failed", note: "killed by signal 9.", hasStarted: true, wasReady: true },
} as const;

it.each([
  [["drained", "drained"], "drained"],
  [["drained", "unstarted", "refused"], "drained"],
  [["drained", "killed"], "agent 2 (a2): killed by signal 9"],
  [["drained", "stopped"], "agent 2 (a2): stopped by ann"],
  [
    ["refused", "unstarted"],
    "agent 1 (a1): The gateway h refused this agent (401); agent 2 (a2): it was not started: …",
  ],
  [[], "its runs were forgotten"],
] as const)("%j ends as: %s", (names, said) => {
  const ended = names.map((name, place) => ({ ...agents[name], number: place + 1, run: `a${place + 1}` }));
  const outcome = judgeOutcome(ended);
  expect(describeOutcome(outcome)).toBe(said);
  expect(outcome.isDrained).toBe(said === "drained");
});
