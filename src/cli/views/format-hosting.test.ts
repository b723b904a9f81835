import { expect, it } from "vitest";
import { measureWidth } from "../../base/text-width.ts";
import { formatAgents, formatJob, formatJobs, formatUsers } from "./format-hosting.ts";
import { findTableWidth } from "./format-table.ts";

const now = new Date("2026-11-29T12:00:00Z");
const cases = { waiting: 3, playing: 1, done: 5, failed: 1, cancelled: 0 };
const times = { createdAt: "2026-11-29T11:57:00Z", startedAt: null, endedAt: null };
const job = {
  ...{
    id: 12,
    uuid: "u",
    name: "two\nlines \u001b[31mred",
    board: "instruction",
    modelName: "m",
    parallelism: 4,
  },
  ...{
    user: `${"long".repeat(15)}@example.org`,
    status: 1 as const,
    state: "running",
    endReason: null,
    score: null,
  },
  ...{ cases, ...times },
};

it("a job is one line, however its name tries, and no wider than the terminal", () => {
  const narrow = formatJobs([job], now, 80);
  const wide = formatJobs([job], now, 200);
  for (const [lines, columns] of [[narrow, 80] as const, [wide, 200] as const]) {
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
  }
  expect(narrow[1]).toMatch(
    /^12 {3}instructi?o?… {2}running {2}5\/10, .*… {2}- {6}3 min a.* {2}longl.*… {2}two\\nl.*…$/,
  );
  expect(wide[1]).toMatch(/two\\nlines \\x1b\[31mred$/);
});

it("a long cell gives its room to the other columns, and nothing is cut for another program", () => {
  const emails = ["amy@example.org", `${"🤖".repeat(40)}@example.org`];
  const users = emails.map((email, id) => {
    return { id, uid: "u", email, name: "Zoë 1", quota: 3, parallelism: 2 };
  });
  const configured = { quota: { limit: 99, timeZone: "UTC" }, parallelism: 4 };
  const [header, amy, robot] = formatUsers(users, configured, 60);
  expect(header).toMatch(/^EMAIL {2,}QUOTA {2}PARALLELISM {2}NAME$/);
  expect(amy).toMatch(/^amy@example.org {2,}3 {6}2 {12}Zoë 1$/);
  expect(robot).toMatch(/^(🤖){10,}… {2}3 {6}2 {12}Zoë 1$/u);
  expect(measureWidth(robot ?? "")).toBeLessThanOrEqual(60);
  const whole = formatUsers(users, configured, findTableWidth({ rows: null, columns: 60 }));
  expect(whole.join("\n")).not.toContain("…");
});

it("a job's cases say why they failed", () => {
  const row = {
    id: 7,
    task: "shelf",
    index: 0,
    seed: 1,
    state: "failed" as const,
    attempts: 3,
    score: null,
    steps: 4,
  };
  const ended = { ...job, endReason: "window \u0007 expired", score: 0.5 };
  const lines = formatJob({ job: ended, cases: [{ ...row, failure: "tunnel\nlost" }] }, now, 200);
  expect(lines).toContain("why it ended: window \\x07 expired");
  expect(lines.at(-1)).toBe("c7    shelf  0      failed  3      -      tunnel\\nlost");
});

it("limits of the configuration stand in brackets", () => {
  const user = { id: 1, uid: "u", email: "amy@example.org", name: "Amy", quota: null, parallelism: 2 };
  const configured = { quota: { limit: 99, timeZone: "UTC" }, parallelism: 4 };
  expect(formatUsers([user], configured, 80)[1]).toBe("amy@example.org  (99)   2            Amy");
});

it("nobody is connected to a gateway that does not run", () => {
  const agent = {
    ...{ jobId: 1, agentId: "a", state: "running" as const, isConnected: false },
    ...{ sessionId: "s", peer: "127.0.0.1:5", changedAt: times.createdAt },
  };
  expect(formatAgents({ running: false, agents: [agent] }, now, 80)).toEqual([
    "The gateway does not run.",
    "Its agents when it ended:",
    "JOB  AGENT  STATE          SINCE      CASE   PEER",
    "1    a      running, gone  3 min ago  plays  127.0.0.1:5",
  ]);
  expect(formatAgents({ running: true, agents: [] }, now, 80)).toEqual(["No agents."]);
});
