import { describe, expect, it } from "vitest";
import {
  makeCut,
  makeExchange,
  makeGoodEvidence,
  makeProbe,
  makeProcess,
  makeTunnel,
} from "../../../../test/support/made-up-evidence.ts";
import { applyChecks, isPassed } from "../check-row.ts";
import type { Evidence, Exchange, Probe } from "../evidence.ts";
import { listChecks } from "./table.ts";

const good = makeGoodEvidence();
const MIB = 1024 * 1024;

const withTunnel = (more: Parameters<typeof makeTunnel>[0]) => ({ tunnels: [makeTunnel(more)] });
const withProcess = (more: Parameters<typeof makeProcess>[0]) => ({ processes: [makeProcess(more)] });
const withCut = (more: Parameters<typeof makeCut>[0]) => ({ cuts: [makeCut(more)] });
const withProbe = (kind: Probe["kind"], more: Partial<Probe>) => ({
  probes: good.probes.map((probe) => (probe.kind === kind ? makeProbe(kind, more) : probe)),
});
/** The good exchanges, the first of the wanted ones changed. */
const withExchange = (isWanted: (exchange: Exchange) => boolean, more: Partial<Exchange>) => {
  const wanted = good.exchanges.findIndex(isWanted);
  return {
    exchanges: good.exchanges.map((exchange, index) =>
      index === wanted ? { ...exchange, ...more } : exchange,
    ),
  };
};
const breakRule = (name: string) => ({
  issues: [{ name, level: "hard" as const, path: "result", sentence: "result is wrong" }],
});
const leak = Array.from({ length: 9 }, (_, index) => ({
  ...{ pid: 7, isRoot: false, bytes: (50 + 5 * index) * MIB, answered: 4 * index },
}));
const untouched = { readyAtMs: undefined, drain: undefined };

/** For each check that is no rule of the payload: what must be seen for it to fail. */
const faults: Record<string, Partial<Evidence>> = {
  starts: { ...withProcess({ exitCode: 1, memory: [] }), tunnels: [], exchanges: [], probes: [], cuts: [] },
  accepted: {
    ...withTunnel({ ...untouched, dialedAtMs: [], refusals: [{ atMs: 400, why: "bad_token" }], closes: [] }),
    ...{ exchanges: [], probes: [], cuts: [] },
  },
  "token-hidden": withProcess({ showsToken: true }),
  "token-not-logged": withProcess({ logsToken: true }),
  "warmup-empty-frame": {
    ...withTunnel({ ...untouched, closes: [{ atMs: 500, code: 1006, during: "warm_up" }] }),
    ...{ exchanges: [], probes: [], cuts: [] },
  },
  "ready-in-time": {
    ...withTunnel({ ...untouched, closes: [{ atMs: 60_000, code: 1006, during: "stop" }] }),
    ...{ exchanges: [], probes: [], cuts: [] },
  },
  "ready-after-warmup": withTunnel({ earlyReadies: 1 }),
  "agents-at-once": {
    terms: { ...good.terms, agents: 2 },
    tunnels: [makeTunnel(), makeTunnel({ agentId: "b", ...untouched, warmedAtMs: undefined })],
  },
  "policy-rng": withExchange(({ stage }) => stage === "steady", { echo: "none" }),
  "second-session": withExchange(({ stage }) => stage === "second", breakRule("finite")),
  "after-cut": withExchange(({ isAfterCut }) => isAfterCut, breakRule("finite")),
  steady: withExchange(({ stage }) => stage === "steady", breakRule("finite")),
  "session-id": withTunnel({ strayReplies: 1 }),
  "frames-well-formed": withTunnel({ malformedFrames: 1 }),
  answers: withExchange(({ stage }) => stage === "steady", { outcome: "late" }),
  "one-reply-each": withTunnel({ surplusReplies: 1 }),
  "equal-observations": withExchange(({ isRepeat }) => isRepeat, { outcome: "late" }),
  "empty-frame": withProbe("empty_frame", { answer: "data" }),
  "unknown-control": withProbe("unknown_control", { survived: false }),
  "junk-control": withProbe("junk_control", { survived: false }),
  "queued-control": withProbe("second_queued", { survived: false }),
  "malformed-frame": withProbe("malformed_frame", { survived: false }),
  "replies-in-order": withExchange(({ stage }) => stage === "steady", { echo: "other" }),
  "stays-up": withTunnel({ closes: [{ atMs: 3000, code: 1006, during: "observation" }], drain: undefined }),
  "answers-pings": withTunnel({ longestSilenceMs: 3001 }),
  "same-agent-id": { tunnels: [makeTunnel(), makeTunnel({ agentId: "b" })] },
  "redial-in-time": withCut({ backAfterMs: undefined }),
  "resume-without-warmup": withCut({ neededWarmUp: true }),
  "no-reply-lost": withCut({ wasAnswered: false }),
  "no-reply-doubled": withTunnel({ surplusReplies: 1, surplusAfterCut: 1 }),
  "drain-answers": withExchange(({ stage }) => stage === "drain", { outcome: "lost" }),
  "drain-closes-1000": withTunnel({ closes: [{ atMs: 4900, code: 1006, during: "drain" }] }),
  "no-redial-after-drain": withTunnel({ refusals: [{ atMs: 4950, why: "job_over" }] }),
  "drain-exit-0": withProcess({ exitCode: 1 }),
  "nothing-left": { leftovers: ["sleep 60"] },
  "whole-job": {
    sessions: good.sessions.map((session) => ({ ...session, isWhole: session.stage !== "second" })),
  },
  "first-answer": withExchange(({ isFirst }) => isFirst, { latencyMs: 1001 }),
  "latency-budget": {
    exchanges: good.exchanges.map((exchange) =>
      exchange.isFirst ? exchange : { ...exchange, latencyMs: 1001 },
    ),
  },
  "memory-growth": withProcess({ memory: leak }),
};

const rows = listChecks("g2");
const judge = (more: Partial<Evidence> = {}) => applyChecks(rows, makeGoodEvidence(more));
const listFailed = (checks: ReturnType<typeof judge>) =>
  checks.filter(({ ok }) => ok === false).map(({ name }) => name);

it("an agent that does everything right fails nothing, and everything is looked at", () => {
  const checks = judge();
  expect(checks.filter(({ ok }) => ok !== true)).toEqual([]);
  expect(checks.length).toBeGreaterThanOrEqual(30);
  expect(isPassed(checks)).toBe(true);
});

it("names are unique, and a check needs only checks above it", () => {
  const names = rows.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const [index, { needs = [] }] of rows.entries()) {
    expect(needs.filter((need) => !names.slice(0, index).includes(need))).toEqual([]);
  }
});

describe.each(rows.map((row) => row.name))("%s", (name) => {
  const fault = faults[name] ?? withExchange(({ stage }) => stage === "first", breakRule(name));

  it("fails alone when that is seen, and says what was seen and what to do", () => {
    const checks = judge(name === "binary-frame" ? withTunnel({ textReplies: 1 }) : fault);
    expect(listFailed(checks)).toEqual([name]);
    const check = checks.find((candidate) => candidate.name === name);
    expect(check?.detail).not.toBe("");
    expect(check?.advice).toMatch(/\.$/);
    expect(isPassed(checks)).toBe(check?.level === "soft");
  });
});

it("what depends on a failed check is skipped and names the failed one, all the way down", () => {
  const checks = judge(withExchange(({ stage }) => stage === "first", breakRule("plain-msgpack")));
  const finite = checks.find(({ name }) => name === "finite");
  expect(finite).toMatchObject({ ok: null, skipped: true, detail: "depends on plain-msgpack" });
  const envelope = checks.find(({ name }) => name === "envelope");
  expect(envelope?.detail).toBe("depends on plain-msgpack");
});

it("what was not reached is skipped and says so; nothing at all passes nothing", () => {
  const checks = judge(faults["starts"]);
  expect(checks.find(({ name }) => name === "accepted")?.detail).toBe("depends on starts");
  expect(checks.find(({ name }) => name === "steady")).toMatchObject({
    ...{ ok: null, skipped: true, detail: "the rehearsal did not get there" },
  });
});

it("an agent that ends before a dial is told in its own words, with its hint and no other advice", () => {
  const logTail = ["starting", "error: The handler is gone.", "Write it again."];
  const told = judge({ ...faults["starts"], ...withProcess({ exitCode: 1, memory: [], logTail }) });
  const detail = expect.stringMatching(/before a dial; .*: error: The handler is gone. \| Write it again.$/);
  expect(told.find(({ name }) => name === "starts")).toMatchObject({ ok: false, detail, advice: null });
  const marked = logTail.map((line) => `2026-01-01T00:00:00Z [0b5c6f0e] ${line}`);
  const again = judge({ ...faults["starts"], ...withProcess({ exitCode: 1, memory: [], logTail: marked }) });
  expect(again.find(({ name }) => name === "starts")).toMatchObject({ detail, advice: null });
});

it("one answer that took more than ten times the budget is told, however good the others are", () => {
  const slow = (latencyMs: number) => withExchange(({ stage }) => stage === "steady", { latencyMs });
  expect(listFailed(judge(slow(10_000)))).toEqual([]);
  const checks = judge(slow(10_001));
  expect(listFailed(checks)).toEqual(["latency-budget"]);
  expect(checks.find(({ name }) => name === "latency-budget")?.detail).toContain("the slowest 10 s");
});

it("answers of another kind of payload are held against the rules of that kind", () => {
  const names = (kind: "openpi" | "opaque") => listChecks(kind).map(({ name }) => name);
  expect(names("openpi")).toContain("actions-present");
  expect(names("openpi")).not.toContain("arm-width");
  expect(names("opaque")).not.toContain("plain-msgpack");
});

it("a leak is told only where it is more than what comes and goes", () => {
  const noisy = leak.map((sample, index) => ({ ...sample, bytes: (50 + 40 * (index % 2)) * MIB }));
  expect(listFailed(judge(withProcess({ memory: noisy })))).toEqual([]);
  const root = leak.map((sample) => ({ ...sample, isRoot: true }));
  expect(listFailed(judge(withProcess({ memory: root })))).toEqual([]);
  const tooFew = judge(withProcess({ memory: leak.slice(0, 5) }));
  expect(tooFew.find((check) => check.name === "memory-growth")?.ok).toBe(null);
});

it("an answer that came only by its agent's death is not also told as an answer", () => {
  const late = makeExchange({ outcome: "lost", ...breakRule("error-envelope") });
  expect(listFailed(judge({ exchanges: [...good.exchanges, late] }))).toEqual([]);
});

it("an observation that is late at the drain is told once, with what follows from it", () => {
  const slow = {
    ...withExchange(({ stage }) => stage === "drain", { outcome: "late" }),
    ...withProcess({ exitCode: null, signal: "SIGKILL", wasStopped: true }),
    ...withTunnel({ closes: [{ atMs: 9000, code: 4004, during: "drain" }] }),
    sessions: good.sessions.map((session) => ({ ...session, isWhole: session.stage !== "drain" })),
  };
  expect(listFailed(judge(slow))).toEqual(["drain-answers"]);
});

it("what an answer across a cut breaks is put down to the cut", () => {
  expect(listFailed(judge(withExchange(({ wasCut }) => wasCut, breakRule("finite"))))).toEqual(["after-cut"]);
});
