import { expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { AgentJournal, countOne } from "./agent-journal.ts";
import type { AgentEventRecord } from "./agent-options.ts";

function make(token = "a-token-of-the-test") {
  const lines: string[] = [];
  const events: AgentEventRecord[] = [];
  const journal = new AgentJournal(
    {
      clock: systemClock,
      token,
      onLog: ({ text }) => lines.push(text),
      onEvent: (event) => events.push(event),
    },
    { agentId: "a", state: "running" },
  );
  return { journal, lines, events };
}

test("no token is in a line or an event, and nothing in a line that moves a cursor", () => {
  const { journal, lines, events } = make();
  journal.secrets.hide("a-later-token");
  journal.record("notice", { detail: "refused: a-token-of-the-test" });
  expect(events[0]?.detail).toBe("refused: [token]");
  journal.log("info", "\x1b[2J a-token-of-the-test and a-later-token");
  expect(lines).toEqual(["\\x1b[2J [token] and [token]"]);
});

test("what comes a thousand times is told six times", () => {
  const { journal, lines } = make();
  for (let count = 0; count < 1000; count += 1) journal.logSome("key", "warn", "again");
  expect(lines).toEqual([
    "again",
    "again",
    "again",
    "again (time 10)",
    "again (time 100)",
    "again (time 1000)",
  ]);
  for (let count = 0; count < 3; count += 1) journal.logOnce("other", "info", "once");
  expect(lines.length).toBe(7);
});

test("a frame is recorded with its four times, and counted", () => {
  const { journal, events } = make();
  journal.recordFrame("s", { queue: 1, handler: 60_000.00049, check: 0.5, send: 2 });
  journal.recordFrame("s", { queue: 1, handler: 60_000, check: 0.5, send: null });
  expect(events[0]).toMatchObject({
    ...{ type: "frame", agentId: "a", state: "running", sessionId: "s" },
    ...{ queueMs: 1, handlerMs: 60_000, checkMs: 0.5, sendMs: 2 },
  });
  expect(events[1]?.sendMs).toBeNull();
  journal.record("state");
  expect(events[2]).toEqual({
    ...{
      t: expect.any(String),
      type: "state",
      agentId: "a",
      state: "running",
      sessionId: null,
      detail: null,
    },
    ...{ queueMs: null, handlerMs: null, checkMs: null, sendMs: null },
  });
  expect(new Date(events[0]?.t ?? "").getTime()).toBeGreaterThan(0);
  expect(journal.makeReport().latency).toMatchObject({
    handler: { p50: 60_000 },
    send: { p99: expect.closeTo(2, 1) },
  });
  expect(make().journal.makeReport().latency).toBeNull();
  const unsent = make().journal;
  unsent.recordFrame("s", { queue: 1, handler: 2, check: 3, send: null });
  expect(unsent.makeReport().latency).toMatchObject({ check: { p50: 3 }, send: null });
});

test("a peer that makes up new words for ever fills no memory", () => {
  const counts = new Map<string, number>();
  for (let word = 0; word < 10_000; word += 1) countOne(counts, `word ${word}`);
  expect(counts.size).toBe(101);
  expect(counts.get("other")).toBe(9_900);
});
