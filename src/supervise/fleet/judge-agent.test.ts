import { expect, it } from "vitest";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Seat } from "../../runs/seat.ts";
import type { FleetRunner } from "./fleet.ts";
import { foldLines, NO_NEWS } from "./fold-news.ts";
import { judgeAgent } from "./judge-agent.ts";

const handler: FleetRunner = { kind: "handler", handler: "p:h", python: null };
const script: FleetRunner = { kind: "script", path: "/x/tunnel.sh" };
const seat: Seat = {
  ...{ fleet: "f", number: 2, runner: "handler", agentId: "a", gpu: { uuid: "GPU-1", index: 1 } },
  ...{ restarts: 0, attemptEndedAt: null, notBefore: null },
};
const run = {
  ...{ id: "r", name: "agents-2", state: "running", attempt: 1, seat, exitCode: null, waitingFor: null },
  ...{ cause: null, startedAt: "2026-11-30T10:00:00Z", endedAt: null },
} as unknown as RunRecord;

const at = (second: number) => `2026-11-30T10:00:${String(second).padStart(2, "0")}.500Z`;
const event = (second: number, state: string, type = "state", more: object = {}) =>
  JSON.stringify({ t: at(second), type, agentId: "a", state, sessionId: null, detail: null, ...more });
const life = [
  event(1, "starting"),
  event(2, "queued"),
  event(3, "warmup"),
  event(4, "running"),
  event(5, "running", "session", { sessionId: "s1", detail: "opened" }),
  event(6, "running", "frame", { sessionId: "s1", queueMs: 1, handlerMs: 10, checkMs: 1, sendMs: null }),
  event(7, "running", "frame", { sessionId: "s1", queueMs: 0, handlerMs: 30, checkMs: 0, sendMs: 2 }),
  event(8, "running", "session", { sessionId: "s1", detail: "the gateway closed it" }),
  event(9, "running", "session", { sessionId: "s2", detail: "opened" }),
];
const judge = (
  lines: readonly string[] | null,
  more: Partial<RunRecord> = {},
  runner: FleetRunner = handler,
  logEnds = "",
) => {
  const news = lines === null ? null : foldLines(NO_NEWS, lines);
  return judgeAgent({ ...run, ...more }, { news, isCounted: true, logEnds }, { runner }, false);
};

it("takes one that was started again in mid-case for loading until its first reply", () => {
  const [, , , , opened, frame] = life as [string, string, string, string, string, string];
  const again = [event(1, "starting"), event(2, "queued"), event(3, "running"), opened];
  expect(judge(again)).toMatchObject({ state: "running", wasReady: false, inFlight: 1 });
  expect(judge([...again, frame])).toMatchObject({ state: "running", wasReady: true });
});

it("tells of an agent what its events say", () => {
  expect(judge([...life, "torn {"])).toMatchObject({
    ...{
      number: 2,
      gpu: "1",
      state: "running",
      wasReady: true,
      sessions: 2,
      inFlight: 1,
      frames: 2,
      p50Ms: 12,
    },
    ...{ lastNewsAt: at(9), agentId: "a", note: null },
  });
  expect(judge(life.slice(0, 3))).toMatchObject({ state: "warmup", wasReady: false, frames: 0, p50Ms: null });
  const cut = event(10, "redialing", "link", { detail: "the link was cut" });
  expect(judge([...life, cut])).toMatchObject({
    state: "redialing",
    wasReady: true,
    note: "the link was cut",
  });
});

it("takes nothing that an earlier attempt told for news of this one", () => {
  const killed = { ...seat, restarts: 1, attemptEndedAt: "2026-11-30T10:00:10Z" };
  const again = { seat: killed, attempt: 2 };
  expect(judge(life, again)).toMatchObject({ state: "starting", wasReady: false, inFlight: 0, frames: 2 });
  const reborn = [...life, event(14, "starting"), event(15, "warmup")];
  expect(judge(reborn, again)).toMatchObject({ state: "warmup", wasReady: false, inFlight: 0, sessions: 2 });
});

it.each([
  ["waiting", "waiting", "its turn"],
  ["preparing", "starting", null],
  ["succeeded", "drained", null],
  ["failed", "failed", "It broke."],
  ["stopped", "stopped", "It broke."],
  ["lost", "failed", "It broke."],
] as const)("calls a run that is %s %s", (state, expected, note) => {
  const view = judge(life, { state, waitingFor: "its turn", cause: "It broke." });
  expect([view.state, view.note]).toEqual([expected, note]);
});

it.each([
  ["", "unknown", false],
  ["state QUEUED -> WARMUP", "warmup", false],
  ["WARMUP\nnow RUNNING\n", "running", true],
  ["RUNNING\nDRAINING\n", "draining", true],
  ["it is running", "unknown", false],
])("reads a launcher's log %j as %s", (logEnds, state, wasReady) => {
  expect(judge(null, {}, script, logEnds)).toMatchObject({ state, wasReady, frames: null, sessions: null });
});

it("takes the challenge's word for a launcher that is silent", () => {
  const view = judgeAgent(run, { news: null, isCounted: true, logEnds: "" }, { runner: script }, true);
  expect(view).toMatchObject({ state: "running", wasReady: true });
});
