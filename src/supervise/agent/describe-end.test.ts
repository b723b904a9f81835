import { expect, it } from "vitest";
import type { AgentReport } from "../../tunnel/agent-report.ts";
import { describeEnd } from "./describe-end.ts";
import { makeStateTimes } from "./state-times.ts";

const report: AgentReport = {
  agentId: "a",
  sessions: 1,
  replies: 2000,
  resent: 0,
  unproven: 0,
  lost: 0,
  handlerFaults: 0,
  refusedReplies: {},
  softFindings: {},
  redials: 0,
  malformedFrames: 0,
  ignoredControls: {},
  latency: null,
};

it("says what happened, and nothing of what did not", () => {
  expect(describeEnd({ outcome: "drained", report }, [["running", 62]])).toEqual([
    "drained: 1 session, 2000 replies",
    "time: running 1 min 02 s",
  ]);
  const troubled = { ...report, redials: 3, lost: 1, softFindings: { "all-zero": 4, "step-jump": 1 } };
  expect(describeEnd({ outcome: "failed", report: troubled }, [])).toEqual(
    expect.arrayContaining([
      "redialed: 3",
      "observations left unanswered: 1",
      "replies that look odd: all-zero 4, step-jump 1",
    ]),
  );
});

it("shows the four parts of the latency in columns", () => {
  const part = { p50: 0.0123, p95: 4.5, p99: 1234.56, max: 60_000 };
  const latency = { queue: part, handler: part, check: part, send: part };
  const lines = describeEnd({ outcome: "stopped", report: { ...report, latency } }, []).slice(-5);
  expect(lines[0]?.split(/\s+/)).toEqual(["milliseconds", "p50", "p95", "p99", "max"]);
  expect(lines.slice(1).map((line) => line.trim().split(/\s+/, 5))).toEqual(
    ["queue", "handler", "check", "send"].map((name) => [name, "0.01", "4.50", "1234.6", "60000.0"]),
  );
});

it("counts the time of each state over all its visits", () => {
  let nowMs = 0;
  const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs, sleep: async () => undefined };
  const times = makeStateTimes(clock);
  for (const [state, ms] of [
    ["queued", 1000],
    ["running", 2000],
    ["running", 3000],
    ["redialing", 4000],
    ["running", 5000],
  ] as const) {
    times.enter(state);
    nowMs += ms;
  }
  expect(times.read()).toEqual([
    ["starting", 0],
    ["queued", 1],
    ["running", 10],
    ["redialing", 4],
  ]);
});
