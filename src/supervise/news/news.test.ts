import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { useNoticeServers } from "../../../test/support/notice-servers.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import type { Clock } from "../../base/clock.ts";
import { systemClock } from "../../base/clock.ts";
import { SortieError } from "../../base/error.ts";
import { makeNewRun } from "../../runs/new-run.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { insertRun } from "../../runs/run-store.ts";
import { openStore } from "../../store/open-store.ts";
import { MIGRATIONS } from "../../store/schema.ts";
import { closeDesk, type Desk, openDesk } from "../desk.ts";
import { describeWord } from "../rent/describe-word.ts";
import { collectFromHost } from "../watch-host.ts";
import { tellEnd } from "./ended-notice.ts";
import { isNoticeDue } from "./news-desk.ts";
import { findNextNoticeMs, removeNotices, sweepNotices } from "./notice-rows.ts";
import { openNews } from "./open-news.ts";
import { listNotices } from "./outbox-store.ts";
import { runNews } from "./run-news.ts";

const folder = useTempFolder();
const servers = useNoticeServers();
const DAY_MS = 24 * 3600 * 1000;

/** A person with a webhook for Feishu that is never called unless the test sends. */
function openOwn({
  clock = systemClock,
  settings = PUSH as object | null,
}: {
  clock?: Clock;
  settings?: object | null;
} = {}) {
  const person = join(folder(), "person");
  mkdirSync(join(person, ".codex"), { recursive: true });
  const file = join(person, ".codex/feishu.json");
  const setFeishu = (value: object) => writeFileSync(file, JSON.stringify(value), { mode: 0o600 });
  if (settings !== null) setFeishu(settings);
  const env = { PATH: process.env["PATH"], HOME: person, SORTIE_HOME: join(folder(), "home") };
  const desk = openDesk({ env, self: [process.execPath, "-e", "0"], clock });
  onTestFinished(() => closeDesk(desk));
  return { desk, setFeishu };
}

const PUSH = { mode: "push", webhook_url: "http://127.0.0.1:9/open-apis/bot/v2/hook/0a1b2c3d" };

function addRun(desk: Desk, change: Partial<RunRecord>): RunRecord {
  const { id = "r1" } = change;
  const request = {
    ...{ command: ["true"], cwd: folder(), target: "local", name: id, gpus: "none" as const, gpu: [] },
    ...{
      envNames: [],
      envFiles: [],
      results: [],
      resultsTo: null,
      timeoutS: null,
      graceS: 30,
      expectS: null,
      waitGpuS: null,
    },
  };
  const now = desk.clock.now().toISOString();
  const run = makeNewRun({
    ...{
      id,
      name: `name-${id}`,
      plan: "p1",
      target: "local",
      kind: "local",
      host: desk.identity.host,
      request,
    },
    ...{ environment: { label: "as you have it", python: null }, git: null, createdAt: now },
    ...{ jobFolder: join(folder(), "jobs", id), expected: { seconds: null, source: "unknown" }, notes: [] },
    ...{ launcher: desk.identity, startIntentAt: null },
  });
  const whole = { ...run, ...change };
  insertRun(desk.store, whole);
  return whole;
}

const silent = new AbortController().signal;
/** One pass of a watcher, which sends nothing: it is asked to leave. */
const pass = (desk: Desk, isSilentFor: (host: string) => boolean = () => false, told: unknown[] = []) => {
  const signal = AbortSignal.abort();
  return runNews(desk, { signal, isSilentFor, tell: (_step, fault) => told.push(fault) });
};
const listKeys = (desk: Desk) =>
  listNotices(desk.store, 100)
    .map(({ key }) => key)
    .sort();

describe("what the watcher finds in the records", () => {
  it("is told once: launches that have lived for a moment, agents that start again, hosts that are silent for long", async () => {
    const { desk } = openOwn();
    const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
    addRun(desk, { id: "r1", state: "running", startedAt: ago(10_000) });
    addRun(desk, { id: "r2", state: "running", startedAt: ago(500) });
    addRun(desk, { id: "r3", state: "running", startedAt: ago(DAY_MS) });
    const heard = ago(20 * 60_000);
    const away = { state: "running", reachable: false, observedAt: heard, host: "box", kind: "ssh" } as const;
    addRun(desk, {
      id: "r4",
      ...away,
      silence: { code: "ssh_timeout", reason: "It timed out.", hint: "Look at it." },
    });
    addRun(desk, { id: "r5", ...away });
    addRun(desk, {
      ...{ id: "r6", state: "waiting", attempt: 2, waitingFor: "its next start, 3 s after it was killed" },
      seat: {
        ...{ fleet: "f1", number: 2, runner: "handler", agentId: "a", gpu: null },
        ...{ restarts: 1, attemptEndedAt: ago(1000), notBefore: null },
      },
    });
    const isAway = (host: string) => host === "ssh box";
    await pass(desk);
    expect(listKeys(desk)).toEqual(["r1/experiment_done/launched", "r6/fleet/restart-1"]);
    await pass(desk, isAway);
    await pass(desk, isAway);
    expect(listKeys(desk)).toEqual([
      `host box/error/silent-${heard}`,
      "r1/experiment_done/launched",
      "r6/fleet/restart-1",
    ]);
    const silence = listNotices(desk.store, 100).find(({ key }) => key.startsWith("host"))?.notice;
    expect(silence).toMatchObject({ what: "box does not answer", message: "It timed out." });
    expect(JSON.stringify(silence)).toMatch(/heard of it for 20 min 00 s; .*name-r4, name-r5/);
  });

  it("is told at once, and once, where a rented machine does not run: what it costs, and what a person can do", async () => {
    const { desk } = openOwn();
    const heard = new Date(Date.now() - 60_000).toISOString();
    const word = {
      status: "exited",
      message: null,
      since: heard,
      dollarsPerHour: 0.4,
      storageDollarsPerHour: 0.01,
    };
    const silence = describeWord(5, word, new SortieError("internal", { reason: "unused" }));
    const away = { state: "running", reachable: false, observedAt: heard, host: "root@box:1" } as const;
    addRun(desk, { id: "r1", kind: "vast", silence, ...away });
    await pass(desk);
    await pass(desk);
    expect(listKeys(desk)).toEqual([`host root@box:1/error/silent-${heard}`]);
    const told = JSON.stringify(listNotices(desk.store, 9));
    expect(told).toContain("The instance 5 does not run: Vast.ai says exited");
    expect(told).toMatch(/costs at most \$0\.40 an hour, and at least \$0\.0100 an hour for its disk/);
    expect(told).toMatch(/Nothing is launched again, and nothing destroyed.*sortie vast destroy 5/);
  });

  it("is nothing where nothing is set, and nothing is stored", async () => {
    const { desk } = openOwn({ settings: null });
    addRun(desk, { state: "running", startedAt: new Date(Date.now() - 10_000).toISOString() });
    expect(await openNews(desk)).toBe(null);
    await pass(desk);
    expect(listKeys(desk)).toEqual([]);
  });
});

it("results that cannot be brought home are told when nobody tries any more, and the end with them", async () => {
  const { desk } = openOwn();
  const run = addRun(desk, {
    state: "succeeded",
    startedAt: new Date().toISOString(),
    endedAt: new Date().toISOString(),
  });
  writeFileSync(join(desk.home.root, "runs"), "no folder");
  const work = {
    desk,
    onStep: () => undefined,
    tell: () => undefined,
    tries: new Map([[run.id, { times: 3, dueMs: 0, isOver: false }]]),
    readings: new Map(),
  };
  await collectFromHost(work, [run]);
  expect(listKeys(desk)).toEqual([]);
  await collectFromHost(work, [run]);
  await collectFromHost(work, [run]);
  expect(listKeys(desk)).toEqual([`${run.id}/error/results`, `${run.id}/experiment_done/ended`]);
  expect(JSON.stringify(listNotices(desk.store, 9))).toContain("results not brought home: ");
});

it("the end of a run that was taken up long after is no news, and an agent's is told with its fleet", async () => {
  const { desk } = openOwn();
  const news = await openNews(desk);
  const now = desk.clock.now();
  const run = addRun(desk, { state: "failed", exitCode: 3, endedAt: now.toISOString() });
  tellEnd(news, { ...run, endedAt: new Date(now.getTime() - 8 * DAY_MS).toISOString() }, now);
  tellEnd(news, { ...run, seat: { fleet: "f1" } as RunRecord["seat"] }, now);
  expect(listKeys(desk)).toEqual([]);
  const metrics = [
    { metric: "eval/loss", value: 0.5, delta: -0.1 },
    { metric: "loss", value: 0.4, delta: null },
  ];
  const findings = { metrics, baseline: "base" };
  tellEnd(news, run, now, { findings, costUsd: 1.5 });
  expect(listNotices(desk.store, 9)[0]?.notice).toMatchObject({
    results: [
      {
        metrics,
        lines: expect.arrayContaining([expect.stringMatching(/^exit code 3; /)]),
      },
    ],
    ...{ baseline: "base", costUsd: 1.5 },
  });
});

describe("the outbox in the database", () => {
  it("is made in a database of an earlier version, which keeps what it has", () => {
    const path = join(folder(), "old.db");
    const old = openStore(path, { migrations: MIGRATIONS.slice(0, 2) });
    old.change("INSERT INTO plans VALUES ('p1', 'a', 'b', NULL, '{}')");
    old.close();
    const store = openStore(path);
    expect([store.find("SELECT id FROM plans")?.["id"], listNotices(store, 9)]).toEqual(["p1", []]);
    expect(findNextNoticeMs(store)).toBe(null);
    store.close();
  });

  it("calls for a watcher when something is due, and not while its channel is left alone", async () => {
    const { desk } = openOwn();
    const news = await openNews(desk);
    expect(isNoticeDue(desk, DAY_MS)).toBe(false);
    expect(news?.add({ kind: "test", subject: "r1", phase: "1", at: "" })).toBe(true);
    expect(news?.add({ kind: "test", subject: "r1", phase: "1", at: "" })).toBe(false);
    expect(isNoticeDue(desk)).toBe(true);
    const pausedUntilMs = Date.now() + 10 * 60_000;
    desk.store.change("INSERT INTO notice_channels VALUES ('feishu', ?)", JSON.stringify({ pausedUntilMs }));
    expect([isNoticeDue(desk), isNoticeDue(desk, 5 * 60_000), findNextNoticeMs(desk.store)]).toEqual([
      ...[false, false, pausedUntilMs],
    ]);
  });

  it("forgets what is a month old and settled, and what is about a run that is forgotten", async () => {
    let nowMs = Date.now() - 31 * DAY_MS;
    const clock = { ...systemClock, now: () => new Date(nowMs) };
    const { desk } = openOwn({ clock });
    const news = await openNews(desk);
    for (const subject of ["r1", "r2"]) news?.add({ kind: "test", subject, phase: "1", at: "" });
    desk.store.change("UPDATE notices SET state = 'sent' WHERE subject = 'r1'");
    nowMs = Date.now();
    sweepNotices(desk.store, clock.now());
    expect(listKeys(desk)).toEqual(["r2/test/1"]);
    removeNotices(desk.store, "r2");
    expect(listKeys(desk)).toEqual([]);
  });

  it("puts aside what waits for a channel that is not set any more, later where the settings cannot be read", async () => {
    let nowMs = Date.now();
    const clock = { ...systemClock, now: () => new Date(nowMs) };
    const { desk, setFeishu } = openOwn({ clock });
    const add = async (phase: string) =>
      (await openNews(desk))?.add({ kind: "test", subject: "r1", phase, at: "" });
    const listStates = () => listNotices(desk.store, 9).map(({ state, reason }) => `${state}: ${reason}`);
    await add("1");
    setFeishu({ mode: "loud" });
    const told: unknown[] = [];
    await pass(desk, () => false, told);
    expect(told).toMatchObject([{ code: "notify_settings_bad" }]);
    expect(listStates()).toEqual(["waiting: null"]);
    nowMs += 11 * 60_000;
    await pass(desk);
    expect(listStates()).toEqual(["failed: the settings cannot be read"]);
    setFeishu(PUSH);
    await add("2");
    setFeishu({ mode: "off" });
    await pass(desk);
    expect(listStates()[0]).toBe("failed: feishu is not set any more");
  });

  it("is emptied by a pass that may send", async () => {
    const feishu = await servers.serveFeishu();
    const { desk } = openOwn({ settings: { mode: "push", webhook_url: feishu.url } });
    (await openNews(desk))?.add({ kind: "test", subject: "r1", phase: "1", at: "" });
    await runNews(desk, { signal: silent, isSilentFor: () => false, tell: () => undefined });
    expect(listNotices(desk.store, 9)).toMatchObject([{ state: "sent" }]);
    expect(feishu.cards).toHaveLength(1);
  });
});
