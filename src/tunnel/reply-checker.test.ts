import { beforeEach, expect, test } from "vitest";
import { makeAction, packAction, readRecorded } from "../../test/support/actions.ts";
import type { Clock } from "../base/clock.ts";
import { makeErrorEnvelope } from "../payload/error-envelope.ts";
import { pack } from "../payload/pack.ts";
import { unpack } from "../payload/unpack.ts";
import { AgentJournal } from "./agent-journal.ts";
import { type CheckSettings, ReplyChecker } from "./reply-checker.ts";

const observation = readRecorded("g2-observation");
const good = pack(makeAction(), { forceFloat: true });
const wrongWidth = packAction((draft) => draft.result.left_arm.values[3]?.pop());
/** Both grippers far outside of what a G2 takes: unlikely, and no more. */
const unlikely = packAction((draft) => {
  for (const row of draft.result.left_effector) row[0] = 90;
});

let nowMs = 0;
let lines: string[] = [];
const clock: Clock = { now: () => new Date(0), monotonicMs: () => nowMs, sleep: async () => undefined };

beforeEach(() => {
  nowMs = 0;
  lines = [];
});

function make(own: Partial<CheckSettings> = {}) {
  const onLog = ({ level, text }: { level: string; text: string }) => lines.push(`${level} ${text}`);
  const journal = new AgentJournal({ clock, token: "", onLog }, { agentId: "a", state: "running" });
  const checker = new ReplyChecker({ validate: true, clock, ...own }, journal);
  const report = () => journal.makeReport();
  return { check: (reply: Uint8Array) => checker.check(observation, reply), report };
}

const readError = (reply: Uint8Array) =>
  (unpack(reply) as { value: { error?: string } }).value.error ?? "no error";

test("a reply that keeps the rules goes out as it is", () => {
  const { check, report } = make();
  expect(check(good)).toBe(good);
  expect(report().refusedReplies).toEqual({});
  expect(lines[0]).toContain("is g2: replies are checked as g2");
});

test("a reply that the simulator would fail by becomes an error that names the place", () => {
  const { check, report } = make();
  expect(readError(check(wrongWidth))).toMatch(/^the reply was stopped: result\.left_arm\.values\[3\]/);
  expect(report().refusedReplies).toEqual({ "arm-width": 1 });
});

test("what is merely unlikely goes out, is told once and counted each time", () => {
  const { check, report } = make();
  for (nowMs = 0; nowMs < 1000; nowMs += 200) expect(check(unlikely)).toBe(unlikely);
  expect(report().softFindings["gripper-range"]).toBe(5);
  expect(lines.filter((line) => line.includes("gripper-range"))).toHaveLength(1);
});

test("faster than real robots, a known shape passes; what has another is looked at as a whole", () => {
  const { check, report } = make();
  check(good);
  nowMs = 1;
  expect(check(good)).toBe(good);
  expect(readError(check(wrongWidth))).toContain("the reply was stopped");
  const infinite = packAction((draft) => draft.result.right_arm.values[0]?.fill(Number.POSITIVE_INFINITY));
  expect(readError(check(infinite))).toContain("the reply was stopped");
  expect(Object.keys(report().refusedReplies).sort()).toEqual(["arm-width", "finite"]);
});

test("an error that the handler tells by itself passes as it is; an empty one would be none", () => {
  const { check, report } = make();
  const own = makeErrorEnvelope("no picture from the left hand");
  expect(check(own)).toBe(own);
  expect(readError(check(pack({ error: "" })))).toContain("the reply was stopped");
  expect(report().refusedReplies).toEqual({ "error-envelope": 2 });
});

test("unchecked replies pass, whatever they are, but for one that cannot be sent", () => {
  const { check } = make({ validate: false });
  for (const reply of [wrongWidth, new Uint8Array()]) expect(check(reply)).toBe(reply);
  expect(readError(check(new Uint8Array(64 * 1024 * 1024)))).toContain("67108864 bytes");
});

test("of an opaque payload nothing is known, but an empty reply is none", () => {
  const { check } = make({ payload: "opaque" });
  expect(check(wrongWidth)).toBe(wrongWidth);
  expect(readError(check(new Uint8Array()))).toBe("the reply was stopped: the reply is empty");
});

test("numpy arrays are an openpi reply, and no action of the challenge", () => {
  const numpy = readRecorded("openpi-action");
  expect(make({ payload: "openpi" }).check(readRecorded("openpi-reply"))).toBeDefined();
  expect(readError(make().check(numpy))).toContain("numpy");
});
