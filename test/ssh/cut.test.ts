import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { useServerStage } from "../support/server-stage.ts";
import { useSshd } from "../support/sshd.ts";
import { waitFor } from "../support/wait-for.ts";

const sshd = useSshd();
const stage = useServerStage(sshd);
const ranFile = () => join(stage.temp(), "ran");
const countRuns = () => (existsSync(ranFile()) ? readFileSync(ranFile(), "utf8").length : 0);
const COMMAND = () => [
  "sh",
  "-c",
  'printf x >>"$1"; mkdir -p results; cat model.py >results/copy',
  "sh",
  ranFile(),
];

afterEach(() => {
  sshd().proxy.onDial("pass");
  sshd().proxy.throttle(0);
});

function writeProject() {
  stage.write({ "model.py": randomBytes(400_000) });
  const [codeDir, jobDir] = ["host code", "host jobs"].map((name) => join(stage.temp(), name));
  stage.writeSection([`- Code dir: \`${codeDir}\``, `- job_dir: \`${jobDir}\``]);
}

function isLaunching(): boolean {
  const jobs = join(stage.temp(), "host jobs");
  return existsSync(jobs) && readdirSync(jobs).some((name) => existsSync(join(jobs, name, "launching")));
}

const readRuns = async (): Promise<{ state: string; collected: boolean }[]> => (await stage.ask(["ls"])).runs;
const waitForEnds = () =>
  waitFor(async () => (await readRuns()).every(({ collected }) => collected), {
    timeoutMs: 30_000,
    intervalMs: 200,
    what: "the end of every run",
  });

/** How many bytes a whole launch sends, which tells where in it the line is cut. */
async function measureLaunch(): Promise<number> {
  const { passed } = sshd().proxy;
  const before = passed.up;
  await stage.launch(COMMAND());
  return passed.up - before;
}

describe("the network is cut once", () => {
  // Of all that goes up: the preflight, the transfer, the launch and the look at the start, in this order.
  const places: [string, (bytes: number) => number][] = [
    ["in the preflight", () => 9000],
    ["in the transfer", (bytes) => bytes / 2],
    ["in the launch", (bytes) => bytes - 50_000],
    ["behind the launch", (bytes) => bytes - 20_000],
  ];

  it("at any place of a launch: a clear error or a run, never a second one, and the same command works again", async () => {
    writeProject();
    const bytes = await measureLaunch();
    const told: string[] = [];
    for (const [where, choose] of places) {
      stage.write({ "model.py": randomBytes(400_000) });
      const [before, { proxy }] = [countRuns(), sshd()];
      proxy.cut(); // each launch begins with a connection of its own
      proxy.cutAfter("up", choose(bytes));
      const cut = await stage.start(COMMAND());
      if (cut.exit !== 0) expect(cut, where).toMatchObject({ exit: 5, error: { retryable: true } });
      told.push(`${where}: ${cut.error?.code ?? "it runs"}`);
      await waitForEnds();
      expect(countRuns() - before, where).toBe(cut.exit === 0 ? 1 : 0);
      proxy.cutAfter("up", Number.POSITIVE_INFINITY);
    }
    // What fell into which step differs a little from time to time; a launch goes on over a cut, a transfer does not.
    expect(told).toEqual(expect.arrayContaining(["in the transfer: ssh_lost", "behind the launch: it runs"]));
    await stage.launch(COMMAND());
    await waitForEnds();
    const runs = await readRuns();
    expect(runs.filter(({ state }) => state === "succeeded")).toHaveLength(countRuns());
  });
});

describe("the network is gone", () => {
  it("right after the launch was sent: nobody is told that nothing runs, and the run is found again", async () => {
    writeProject();
    const { proxy } = sshd();
    const live = ["sh", "-c", 'printf x >>"$1"; exec sleep 300', "sh", ranFile()];
    const call = stage.start(live, ["--name", "far"]);
    await waitFor(isLaunching, { timeoutMs: 20_000, intervalMs: 2, what: "the launch" });
    proxy.pause("down"); // its answer does not come through
    await waitFor(() => countRuns() === 1, { timeoutMs: 20_000, what: "the start" });
    proxy.onDial("reset");
    proxy.cut();
    proxy.resume();
    const told = await call;
    expect(told).toMatchObject({ exit: 5, error: { code: "launch_unsure" } });
    const silent = await stage.ask(["show", "far"]);
    expect(silent).toMatchObject({ state: "preparing", reachable: false });
    expect(await stage.ask(["stop", "far"])).toMatchObject({ exit: 5, error: { code: "stop_unanswered" } });
    proxy.onDial("pass");
    expect(await stage.ask(["confirm", silent.plan])).toMatchObject({
      exit: 4,
      error: { code: "plan_used" },
    });
    expect(await stage.ask(["show", "far"])).toMatchObject({ state: "running", reachable: true });
    expect(await stage.ask(["stop", "far"])).toMatchObject({ exit: 0, state: "stopped" });
    expect(countRuns()).toBe(1);
  });

  it("before anything was asked: an error, and no plan", async () => {
    writeProject();
    sshd().proxy.onDial("reset");
    const told = await stage.start(COMMAND());
    expect(told).toMatchObject({ exit: 5, error: { code: "ssh_unreachable", retryable: true } });
    expect((await stage.ask(["ls"])).runs).toEqual([]);
  });
});

it("a stop and a collection go on over a cut", async () => {
  writeProject();
  const command = `trap '' TERM; mkdir -p results; head -c 3000000 /dev/urandom >results/big; printf x >>"$1"; while :; do sleep 0.05; done`;
  const { id, jobFolder } = await stage.launch(["sh", "-c", command, "sh", ranFile()]);
  await waitFor(() => countRuns() === 1, { what: "its results" });
  const stop = stage.ask(["stop", id, "--grace", "2"]);
  await waitFor(() => existsSync(join(jobFolder, "stop")), { what: "the request" });
  sshd().proxy.cut();
  expect(await stop).toMatchObject({ exit: 0, state: "stopped" });

  sshd().proxy.cutAfter("down", 1_000_000);
  await stage.ask(["collect", id]);
  const shown = await stage.finish(id);
  const big = join(stage.temp(), "host code", "results", "big");
  expect(readFileSync(join(shown.resultsFolder, "results", "big")).equals(readFileSync(big))).toBe(true);
});
