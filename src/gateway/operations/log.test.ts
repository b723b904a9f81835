import { describe, expect, it } from "vitest";
import type { GatewayEvent } from "../gateway-event.ts";
import { type LogOptions, openLog } from "./log.ts";

function openTestLog(options: Omit<LogOptions, "stream"> = {}) {
  const lines: string[] = [];
  const log = openLog({ ...options, stream: { write: (line) => lines.push(line) } });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? "null") };
}

function makeEvent(event: object): GatewayEvent {
  const whose = { at: new Date(0), monotonicMs: 0, jobUuid: "job-1", agentId: "agent-1" };
  return { ...whose, ...event } as GatewayEvent;
}

describe("the log", () => {
  it("is JSON, a line each, with level, time and words", () => {
    const { log, lines, last } = openTestLog();
    log.write("warn", "disk is nearly full", { freeMiB: 12 });
    expect(lines[0]?.endsWith("\n")).toBe(true);
    expect(last()).toEqual({
      level: "warn",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      freeMiB: 12,
      msg: "disk is nearly full",
    });
  });

  it("has a line for what matters, and none for pings and frames", () => {
    const { log, lines, last } = openTestLog();
    for (const event of [
      { type: "agent_ping" },
      { type: "agent_pong" },
      { type: "observation_sent", sessionId: "s", bytes: 9, resent: false },
      { type: "reply", sessionId: "s", payload: Buffer.alloc(9), asked: true },
      { type: "session_opened", sessionId: "s" },
    ]) {
      log.observe(makeEvent(event));
    }
    expect(lines).toEqual([]);
    log.observe(makeEvent({ type: "link_closed", code: 1006, reason: "no byte for 45 s", windowOpen: true }));
    expect(last()).toMatchObject({
      ...{ level: "warn", event: "link_closed", job: "job-1", agent: "agent-1", code: 1006 },
      msg: "link lost, the agent is awaited",
    });
    const spec = { id: 3, board: "manip", task: "pick", index: 1, seed: 5 };
    log.observe(makeEvent({ type: "case_ended", sessionId: "s", spec, failure: "timeout", retried: true }));
    expect(last()).toMatchObject({ level: "warn", case: 3, failure: "timeout", session: "s" });
    log.observe(makeEvent({ type: "store_fault", why: "disk I/O error", jobUuid: "", agentId: "" }));
    expect(last()).toEqual(expect.not.objectContaining({ job: "" }));
    expect(last()).toMatchObject({ level: "error", msg: "store fault", why: "disk I/O error" });
  });

  it("shows more where that is asked for", () => {
    const { log, last } = openTestLog({ level: "debug" });
    log.observe(makeEvent({ type: "warmup_sent" }));
    expect(last()).toMatchObject({ level: "debug", msg: "told the agent: warmup" });
  });

  it("hides secrets by their names and by their looks", () => {
    const { log, lines } = openTestLog();
    const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJlLXNlY3JldA";
    log.write("info", `login of ann.lee@example.org with Bearer abc-secret-1, then ${jwt}`, {
      password: "secret-2",
      headers: { Authorization: "Bearer secret-3", cookie: "sid=secret-4", accept: "*/*" },
      url: "/api/challenge/login?email=ann.lee@example.org&password=secret-5",
      requests: [{ jobToken: "secret-6" }, "Api-Key secret-7"],
      cause: new TypeError("bad Bearer secret-8"),
      raw: Buffer.from("secret-9"),
    });
    const text = lines.join("");
    expect(text).not.toMatch(/secret-\d|c2lnbmF0|eyJ|ann\.lee/);
    expect(text).toContain("a…@example.org");
    expect(text).toContain('"url":"/api/challenge/login?…"');
    expect(text).toContain('"accept":"*/*"');
  });

  it("never holds a control character, in a name neither", () => {
    const { log, lines } = openTestLog();
    const nasty = "\u001b[2J\u0007\u009b31m\u202egnp\r\n";
    log.write("warn", nasty, { why: nasty, [`k${nasty}`]: { deep: [nasty] } });
    log.observe(makeEvent({ type: "malformed_frame", why: nasty }));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not pass
    expect(lines.join("")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line.trimEnd()).not.toContain("\n");
  });

  it("survives what is deep, long, or refers to itself", () => {
    const { log, last } = openTestLog();
    const loop: Record<string, unknown> = { name: "loop" };
    loop["self"] = loop;
    log.write("info", "x".repeat(10_000), { loop });
    expect(last().msg.length).toBeLessThan(2_010);
    expect(JSON.stringify(last().loop)).toContain("…");
  });
});
