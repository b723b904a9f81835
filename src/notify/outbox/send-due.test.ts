import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { useNoticeServers } from "../../../test/support/notice-servers.ts";
import { openOutbox } from "../../../test/support/outbox-store.ts";
import { makeShiftedClock } from "../../../test/support/shifted-clock.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { makeFeishuNotifier } from "../feishu/feishu-notifier.ts";
import type { Notice } from "../notice.ts";
import type { Notifier, SendOutcome } from "../notifier.ts";
import { addNotice } from "./add-notice.ts";
import { sendDue } from "./send-due.ts";

const folder = useTempFolder();
const servers = useNoticeServers();
const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

const never = new AbortController().signal;
const DAY_MS = 24 * 3_600_000;

/** As a process that comes up: it opens the same file. */
function open() {
  const one = openOutbox(join(folder(), "outbox.db"));
  opened.push(one);
  return one;
}

function makeError(subject: string, phase = "1"): Notice {
  const at = "2026-01-02T03:04:05.000Z";
  return { kind: "error", subject, phase, at, what: subject, message: "it broke", lines: [] };
}

function stage(notifier: Pick<Notifier, "send"> & Partial<Notifier>) {
  const clock = makeShiftedClock();
  const whole: Notifier = { channel: "feishu", limits: [], ...notifier };
  const { outbox, listAll } = open();
  return {
    ...{ clock, outbox },
    add: (notice: Notice) => addNotice(outbox, { notice, channels: [whole.channel], secrets: [], clock }),
    pass: (signal = never) => sendDue(outbox, whole, clock, signal),
    restart: () => sendDue(open().outbox, whole, clock, never),
    states: () => listAll().map(({ key, state }) => `${key} ${state}`),
  };
}

function stageFeishu(url: string, timeoutMs = 10_000) {
  const bot = { webhookUrl: url, secret: null, timeoutMs };
  return stage(makeFeishuNotifier({ ...bot, clock: makeShiftedClock() }));
}

it("sends one card for an event however often it is told, in three restarts and two processes at once", async () => {
  const bot = await servers.serveFeishu();
  const { add, pass, restart, states } = stageFeishu(bot.url);
  expect(add(makeError("r1"))).toEqual(["feishu"]);
  expect(add(makeError("r1"))).toEqual([]);
  const reports = await Promise.all([pass(), restart()]);
  expect(reports.map(({ sent }) => sent).sort()).toEqual([0, 1]);
  for (const _ of [1, 2, 3]) {
    expect(add(makeError("r1"))).toEqual([]);
    expect(await restart()).toMatchObject({ sent: 0, nextAtMs: null, fault: null });
  }
  expect(states()).toEqual(["r1/error/1 sent"]);
  expect(bot.cards).toHaveLength(1);
});

it("shows codes that come with HTTP 200 as failures, backs off what may pass, and sends it once in the end", async () => {
  const bot = await servers.serveFeishu({ script: [11232, 9499] });
  const { add, pass, restart, clock, states } = stageFeishu(bot.url);
  add(makeError("r1"));
  expect((await pass()).failures).toMatchObject([
    { state: "waiting", reason: expect.stringContaining("11232") },
  ]);
  const { nextAtMs } = await restart();
  expect(nextAtMs).toBeGreaterThan(clock.now().getTime() + 8_000);
  expect(bot.calls).toHaveLength(1);
  clock.shift(10_000);
  expect((await pass()).failures).toMatchObject([
    { state: "waiting", reason: expect.stringContaining("9499") },
  ]);
  clock.shift(10_000);
  expect((await pass()).sent).toBe(0);
  clock.shift(10_000);
  expect((await restart()).sent).toBe(1);
  expect(states()).toEqual(["r1/error/1 sent"]);
});

it("gives up what is refused, at once and for good, and goes on with the others", async () => {
  const bot = await servers.serveFeishu({ script: [19021] });
  const { add, pass, states } = stageFeishu(bot.url);
  add(makeError("r1"));
  add(makeError("r2"));
  const { failures, sent } = await pass();
  expect([sent, failures]).toMatchObject([
    1,
    [{ state: "failed", reason: expect.stringContaining("signature") }],
  ]);
  expect(states()).toEqual(["r1/error/1 failed", "r2/error/1 sent"]);
});

it("never sends again what a hanging server may have taken, and leaves that server alone for the others", async () => {
  const bot = await servers.serveFeishu({ script: [() => undefined] });
  const { add, pass, restart, clock, states } = stageFeishu(bot.url, 200);
  for (const name of ["r1", "r2", "r3"]) add(makeError(name));
  const { failures } = await pass();
  expect(failures).toMatchObject([{ key: "r1/error/1", state: "unsure" }]);
  expect((await restart()).sent).toBe(0);
  expect(bot.calls).toHaveLength(1);
  clock.shift(11_000);
  expect((await restart()).sent).toBe(2);
  expect(states()).toEqual(["r1/error/1 unsure", "r2/error/1 sent", "r3/error/1 sent"]);
});

it("settles what a killed process was sending as unsure, and does not touch what a living one sends", async () => {
  const { add, pass, outbox, clock, states } = stage({ send: async () => ({ state: "sent" }) });
  add(makeError("r1"));
  outbox.claim("feishu", "r1/error/1", clock.now().getTime());
  expect((await pass()).nextAtMs).toBeGreaterThan(clock.now().getTime());
  expect(states()).toEqual(["r1/error/1 claimed"]);
  clock.shift(61_000);
  expect((await pass()).failures).toMatchObject([
    { state: "unsure", reason: expect.stringContaining("ended") },
  ]);
});

it("sends many of one kind as one, few by themselves, and keeps launches together that come together", async () => {
  const sent: string[] = [];
  const { add, pass, clock } = stage({
    send: async (notice) => {
      sent.push(notice.kind === "digest" ? `${notice.notices.length} together` : notice.subject);
      return { state: "sent" };
    },
  });
  for (const name of ["r1", "r2", "r3"]) add(makeError(name));
  await pass();
  expect(sent.splice(0)).toEqual(["r1", "r2", "r3"]);
  for (let number = 0; number < 25; number += 1) {
    const at = clock.now().toISOString();
    add({ kind: "experiment_done", phase: "launched", subject: `s${number}`, at, experiments: [] });
  }
  const { nextAtMs } = await pass();
  expect(sent).toEqual([]);
  expect(nextAtMs).toBeGreaterThan(clock.now().getTime());
  clock.shift(3_000);
  await pass();
  expect(sent).toEqual(["20 together", "5 together"]);
});

it("keeps to the pace of a channel, over processes too", async () => {
  const times: number[] = [];
  const limits = [{ calls: 2, withinMs: 300 }];
  const { add, pass, restart } = stage({
    limits,
    send: async () => {
      times.push(Date.now());
      return { state: "sent" };
    },
  });
  for (const name of ["r1", "r2", "r3"]) add(makeError(name, name));
  await pass();
  add(makeError("r4", "r4"));
  await restart();
  expect((times[2] as number) - (times[0] as number)).toBeGreaterThanOrEqual(299);
  expect(times).toHaveLength(4);
});

it("begins nothing for a pace that would take longer than a pass, and says when to come again", async () => {
  const send = async (): Promise<SendOutcome> => ({ state: "sent" });
  const { add, pass, clock } = stage({ send, limits: [{ calls: 1, withinMs: 60_000 }] });
  add(makeError("r1"));
  add(makeError("r2"));
  const { sent, nextAtMs } = await pass();
  expect(sent).toBe(1);
  expect(nextAtMs).toBeGreaterThan(clock.now().getTime() + 50_000);
  clock.shift(60_000);
  expect((await pass()).sent).toBe(1);
});

it("tells yesterday's news to nobody", async () => {
  const { add, pass, clock, states } = stage({ send: async () => ({ state: "sent" }) });
  add(makeError("r1"));
  clock.shift(DAY_MS + 1);
  expect(await pass()).toMatchObject({ sent: 0, nextAtMs: null });
  expect(states()).toEqual(["r1/error/1 failed"]);
});

it("goes on after the clock was set back by years", async () => {
  const outcomes: SendOutcome[] = [{ state: "busy", reason: "later" }, { state: "sent" }];
  const { add, pass, clock } = stage({ send: async () => outcomes.shift() as SendOutcome });
  clock.shift(3 * 365 * DAY_MS);
  add(makeError("r1"));
  await pass();
  clock.shift(-3 * 365 * DAY_MS);
  expect((await pass()).sent).toBe(1);
});

it("never throws: a notifier that does, an outbox that cannot be used", async () => {
  const { add, pass, outbox, clock } = stage({ send: () => Promise.reject(new Error("boom")) });
  add(makeError("r1"));
  expect((await pass()).failures).toMatchObject([{ state: "unsure", reason: "boom" }]);
  const broken = {
    ...outbox,
    listOpen: () => {
      throw new Error("disk full");
    },
  };
  const notifier: Notifier = { channel: "feishu", limits: [], send: async () => ({ state: "sent" }) };
  expect((await sendDue(broken, notifier, clock, never)).fault).toBe("disk full");
});

it("leaves soon when it is asked to, begins nothing more, and the next one goes on", async () => {
  const leave = new AbortController();
  const { add, pass, restart, states } = stage({
    send: (notice) => {
      if (notice.kind !== "digest" && notice.subject !== "r1") return Promise.resolve({ state: "sent" });
      leave.abort();
      return new Promise(() => undefined);
    },
  });
  add(makeError("r1"));
  add(makeError("r2"));
  const before = performance.now();
  await pass(leave.signal);
  expect(performance.now() - before).toBeLessThan(4_000);
  expect(states()).toEqual(["r1/error/1 unsure", "r2/error/1 waiting"]);
  expect((await restart()).nextAtMs).not.toBeNull();
});

it("keeps no secret on disk", () => {
  const { outbox, listAll } = open();
  const notice = { ...makeError("r1"), message: "it is hush-hush and WANDB_API_KEY=0123456789" } as Notice;
  addNotice(outbox, {
    notice,
    channels: ["feishu", "desktop"],
    secrets: ["hush-hush"],
    clock: makeShiftedClock(),
  });
  expect(listAll()).toHaveLength(2);
  expect(JSON.stringify(listAll())).not.toMatch(/hush|012345/);
});
