import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTestJob } from "../../../../test/support/job.ts";
import { findShells, linkTools } from "../../../../test/support/shells.ts";
import { useTempFolder } from "../../../../test/support/temp-folder.ts";
import { waitFor } from "../../../../test/support/wait-for.ts";
import {
  ATTENDED_MARK,
  COLLECTED_MARK,
  type GuardLimits,
  type GuardSettings,
  makeGuardScript,
} from "./make-guard.ts";
import { makeGuardOnstart, makeGuardStart, parseGuardStart, parseGuardState } from "./start-guard.ts";

const temp = useTempFolder();
const KEY = "c0ffee-instance-key-42";
const WANTED = {
  ...{ method: "PUT", path: "/api/v0/instances/77/", bearer: `Bearer ${KEY}` },
  body: '{"state":"stopped"}',
};
const AGREED = { status: 200, body: { success: true } };
const TOOLS =
  "sh dash mkdir rm mv ln cat chmod setsid head tail sed awk tr cut grep wc sleep date readlink".split(" ");
const NO_LIMITS: GuardLimits = { money: null, timeS: null, uncollectedS: 60, unstartedS: 60, idle: null };

interface Ask {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly bearer: string | undefined;
  readonly body: string;
}

let server: Server;
let asks: Ask[];
let leaks: string[];
let answers: { status: number; body: unknown }[];
let guards: ChildProcess[];

beforeEach(async () => {
  [asks, leaks, answers, guards] = [[], [], [], []];
  server = createServer(async (request, response) => {
    leaks.push(...findArguments(KEY));
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method, url: path } = request;
    asks.push({ method, path, bearer: request.headers.authorization, body });
    const answer = answers.shift() ?? AGREED;
    response
      .writeHead(answer.status, { "content-type": "application/json" })
      .end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(async () => {
  for (const { pid, exitCode } of guards) if (pid && exitCode === null) endGroup(pid);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const guardFolder = () => join(temp(), "guard");
const jobFolder = () => join(temp(), "jobs", "r1");
const readState = () =>
  isStarted() ? parseGuardState(readFileSync(join(guardFolder(), "guard.json"), "utf8")) : null;

describe.each(findShells())("the guard, by %s", (shell) => {
  it("stops for the time: the run is asked to end and can save, the vendor is asked until it holds", async () => {
    const test = await startSavingRun();
    answers.push({ status: 500, body: "busy" }, { status: 500, body: `no ${KEY}` });
    answers.push({ status: 200, body: { success: false, msg: "try again" } });
    startGuard({ ...test.place, limits: { ...NO_LIMITS, timeS: 0.2 } }, { shell });
    await waitFor(() => asks.length >= 6);
    expect(test.readSaved()).toBe("yes\n");
    expect(await test.judge()).toMatchObject({ state: "stopped", stop: { by: "guard:time_limit" } });
    expect(readLog()).toMatch(/stopping: time_limit\n.*stopping: the run was asked to end\n/);
    expect(asks).toEqual(asks.map(() => WANTED));
    expect(leaks).toEqual([]);
    const told = [...readLog().matchAll(/for the stop \(\d\), (in vain|the vendor agreed)/g)].slice(0, 5);
    expect(told.map(([, how]) => how)).toEqual([
      ...Array(3).fill("in vain"),
      ...Array(2).fill("the vendor agreed"),
    ]);
    expect(readLog()).toContain("try again");
    expect(readLog()).not.toContain(KEY);
  });
});

describe("the guard", () => {
  it("leaves without stopping once the run is collected", async () => {
    makeEndedJob();
    const guard = startGuard({ limits: { ...NO_LIMITS, uncollectedS: 30 } });
    await waitFor(() => isStarted());
    writeFileSync(join(jobFolder(), COLLECTED_MARK), "");
    expect(await waitForExit(guard)).toBe(0);
    expect(readState()).toMatchObject({ state: "left", reason: "collected", asks: 0 });
    expect(asks).toEqual([]);
  });

  it("goes on watching the money of a machine that stays, collected or not", async () => {
    makeEndedJob();
    writeFileSync(join(jobFolder(), COLLECTED_MARK), "");
    startGuard({ limits: { ...NO_LIMITS, uncollectedS: 0.1, timeS: 0.6 } });
    await waitFor(() => asks.length > 0);
    expect(readState()).toMatchObject({ state: "stopping", reason: "time_limit" });
  });

  it("L49 lets the run save and stops the instance when the money is out, with the launcher dead", async () => {
    const test = await startSavingRun();
    const money = { dollarsPerHour: 3600, cap: 40.3, spent: 5 };
    const settings = makeSettings({ ...test.place, graceS: 5, limits: { ...NO_LIMITS, money } });
    const launcher = spawn("sh", ["-s"], { env: makeEnv(), stdio: ["pipe", "pipe", "inherit"] });
    launcher.stdin.end(makeGuardStart(settings, "tok"));
    let printed = "";
    launcher.stdout.on("data", (chunk) => {
      printed += chunk;
    });
    await new Promise((resolve) => launcher.on("close", resolve));
    const started = parseGuardStart(printed, "tok");
    try {
      expect(started?.state.state).toBe("watching");
      expect(started?.words).toContain("at most $40.30 at $3600.00 per hour");
      await waitFor(() => asks.length > 0);
      expect(test.readSaved()).toBe("yes\n");
      expect(await test.judge()).toMatchObject({ state: "stopped", stop: { by: "guard:spend_cap" } });
      expect(readState()).toMatchObject({ state: "stopping", reason: "spend_cap" });
    } finally {
      endGroup(started?.state.pid ?? 0);
    }
  });

  it("stops for idle GPUs only where the load is known, and is low all the time", async () => {
    const test = makeTestJob(temp(), { command: ["sleep", "60"] });
    await test.start();
    const bin = join(temp(), "bin");
    const setLoad = (answer: string) => {
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, "nvidia-smi"), `#!/bin/sh\nprintf '%s\\n' ${answer}\n`, { mode: 0o755 });
    };
    setLoad("0 97");
    const { jobFolder: folder, runId } = test.job.supervisor;
    const idle = { seconds: 0.4, percent: 3 };
    const env = makeEnv(`${bin}:${process.env["PATH"]}`);
    startGuard({ jobFolder: folder, runId, limits: { ...NO_LIMITS, idle } }, { env });
    await waitFor(() => isStarted() && readElapsedCs() > 60);
    setLoad("0 '[N/A]' >/dev/null");
    const before = readElapsedCs();
    await waitFor(() => readElapsedCs() > before + 50);
    expect(readState()?.state).toBe("watching");
    setLoad("0 2");
    await waitFor(() => asks.length > 0);
    expect(readState()).toMatchObject({ reason: "gpu_idle" });
    expect(await test.judge()).toMatchObject({ state: "stopped", stop: { by: "guard:gpu_idle" } });
  });

  it.each([
    ["wget", ["wget"]],
    ["python3", ["/usr/bin/python3"]],
  ])("asks by %s where there is no curl", async (client, more) => {
    makeEndedJob();
    answers.push({ status: 503, body: "later" }, { status: 302, body: { success: true } });
    const env = makeEnv(
      linkTools(join(temp(), "bin"), [...TOOLS, ...more.filter((tool) => !tool.startsWith("/"))]),
    );
    if (client === "python3")
      writeFileSync(join(temp(), "bin", "python3"), '#!/bin/sh\nexec /usr/bin/python3 "$@"\n', {
        mode: 0o755,
      });
    startGuard({ limits: { ...NO_LIMITS, uncollectedS: 0.1 } }, { env });
    await waitFor(() => readLog().includes("agreed"));
    expect(readState()).toMatchObject({ state: "stopping", reason: "uncollected" });
    expect(asks).toEqual(asks.map(() => WANTED));
    expect(asks.length).toBeGreaterThanOrEqual(3);
    expect(readLog()).toContain(`asked ${client} for the stop (3), the vendor agreed`);
    expect(leaks).toEqual([]);
  });

  it.each([
    ["no key", { environ: "CONTAINER_ID=77\0" }, "no_key"],
    ["a key that is none", { environ: `CONTAINER_API_KEY=a b\0CONTAINER_ID=77\0` }, "no_key"],
    ["another instance", { environ: `CONTAINER_API_KEY=${KEY}\0CONTAINER_ID=78\0` }, "other_instance"],
    ["no client", { tools: TOOLS }, "no_client"],
  ])(
    "says that it is no guard where there is %s",
    async (_, { environ, tools }: { environ?: string; tools?: string[] }, reason) => {
      const env = tools && makeEnv(linkTools(join(temp(), "bin"), tools));
      const guard = startGuard({}, { ...(env && { env }), ...(environ && { environ }) });
      expect(await waitForExit(guard)).toBe(3);
      expect(readState()).toMatchObject({ state: "none", reason });
      expect(readLog()).toContain("no guard");
      expect(asks).toEqual([]);
    },
  );

  it("waits while home is at work or another's run lives, then stops what never started; a newer guard takes over", async () => {
    const first = startGuard({});
    await waitFor(() => isStarted());
    const other = makeTestJob(temp(), { command: ["sleep", "60"] });
    await other.start();
    startGuard({ limits: { ...NO_LIMITS, unstartedS: 0.5 } });
    expect(await waitForExit(first)).toBe(0);
    const waited = readElapsedCs();
    await waitFor(() => readElapsedCs() > waited + 70);
    expect(asks).toEqual([]);
    let turn = 0;
    const home = setInterval(() => writeFileSync(join(guardFolder(), ATTENDED_MARK), `${turn++}\n`), 30);
    const { runId: id, jobFolder: folder } = other.job.supervisor;
    await other.target.stop({ id, jobFolder: folder, attempt: 1 }, { graceS: 1, by: "test" });
    const stopped = readElapsedCs();
    await waitFor(() => readElapsedCs() > stopped + 70);
    clearInterval(home);
    expect(asks).toEqual([]);
    await waitFor(() => asks.length > 0);
    expect(readState()).toMatchObject({ reason: "never_started" });
  });

  it("is there again after a restart: the time before counts, unless it was this guard that stopped the machine", async () => {
    makeEndedJob();
    writeGuard({ limits: { ...NO_LIMITS, timeS: 600 } });
    writeFileSync(join(guardFolder(), "elapsed_cs"), "60000\n");
    for (const how of ["stopping", "watching"]) {
      const beforeCs = readElapsedCs();
      const restart = spawn("sh", ["-c", makeGuardOnstart(guardFolder())], {
        env: makeEnv(),
        stdio: "ignore",
      });
      await new Promise((resolve) => restart.on("close", resolve));
      await waitFor(
        () => readState()?.state === how && (how === "stopping" || readElapsedCs() > beforeCs + 20),
      );
      const pid = readState()?.pid ?? 0;
      endGroup(pid);
      expect(readState()?.state).toBe(how);
    }
  });
});

function makeSettings(more: Partial<GuardSettings>): GuardSettings {
  return {
    runId: "r1",
    jobFolder: jobFolder(),
    guardFolder: guardFolder(),
    instance: 77,
    vendorUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    limits: NO_LIMITS,
    graceS: 2,
    lookS: 0.05,
    retryS: 0.02,
    ...more,
    environ: more.environ ?? writeEnviron(`PATH=/bin\0CONTAINER_API_KEY=${KEY}\0CONTAINER_ID=77\0`),
  };
}

function writeEnviron(text: string): string {
  const path = join(temp(), "environ");
  writeFileSync(path, text);
  return path;
}

function makeEnv(path = process.env["PATH"] ?? ""): NodeJS.ProcessEnv {
  return { ...process.env, PATH: path, http_proxy: "http://127.0.0.1:9", HTTP_PROXY: "http://127.0.0.1:9" };
}

interface GuardPlace {
  readonly shell?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly environ?: string;
}

function writeGuard(more: Partial<GuardSettings>): string {
  mkdirSync(guardFolder(), { recursive: true, mode: 0o700 });
  const path = join(guardFolder(), "guard.sh");
  writeFileSync(path, makeGuardScript(makeSettings(more)));
  return path;
}

/** In a group of its own, so that its end takes its helpers along. */
function startGuard(
  more: Partial<GuardSettings>,
  { shell = "sh", env = makeEnv(), environ }: GuardPlace = {},
) {
  const path = writeGuard({ ...more, ...(environ && { environ: writeEnviron(environ) }) });
  const [program = "sh", ...words] = [...shell.split(" "), path];
  const guard = spawn(program, words, { detached: true, stdio: ["ignore", "ignore", "inherit"], env });
  guards.push(guard);
  return guard;
}

/** A run that saves when it is asked to end. */
async function startSavingRun() {
  const saved = join(temp(), "saved");
  const trap = `trap 'echo yes >"$0"; exit 0' TERM; echo ready; while :; do sleep 0.1; done`;
  const test = makeTestJob(temp(), { command: ["sh", "-c", trap, saved] });
  await test.start();
  await waitFor(() => existsSync(test.files.log) && test.readLog().includes("ready"));
  const { jobFolder: folder, runId } = test.job.supervisor;
  return { ...test, place: { jobFolder: folder, runId }, readSaved: () => readFileSync(saved, "utf8") };
}

function makeEndedJob() {
  mkdirSync(jobFolder(), { recursive: true });
  writeFileSync(join(jobFolder(), "pid"), "supervisor=1\nsupervisor_start=0\n");
  writeFileSync(join(jobFolder(), "exit"), "code=0\nreason=exited\n");
}

async function waitForExit(guard: ChildProcess): Promise<number | null> {
  await waitFor(() => guard.exitCode !== null, { what: "the guard's end" });
  return guard.exitCode;
}

function readLog(): string {
  return existsSync(join(guardFolder(), "guard.log"))
    ? readFileSync(join(guardFolder(), "guard.log"), "utf8")
    : "";
}

function isStarted(): boolean {
  return existsSync(join(guardFolder(), "guard.json"));
}

function readElapsedCs(): number {
  const path = join(guardFolder(), "elapsed_cs");
  return existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
}

function endGroup(pid: number) {
  try {
    if (pid > 1) process.kill(-pid, "SIGKILL");
  } catch {
    // it has ended meanwhile
  }
}

/** Processes that show the word in their arguments. */
function findArguments(word: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return ""; // it has ended meanwhile
      }
    })
    .filter((line) => line.includes(word));
}
