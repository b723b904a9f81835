import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findOwnProcesses, killQuietly } from "./support/own-processes.ts";
import { SORTIE, useSortie } from "./support/sortie.ts";
import { waitFor } from "./support/wait-for.ts";

const sortie = useSortie();
const shell = (text: string) => ["sh", "-c", text];
const LIVE = shell("echo up; exec sleep 300");
const makeCall = (command: readonly string[], ...flags: string[]) => [
  ...["run", "--target", "local", "--yes", "--grace", "1", ...flags],
  ...["--", ...command],
];
const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^State:\t[ZX]/m.test(readText(`/proc/${pid}/status`));
const readText = (path: string) => readFileSync(path, "utf8");

describe("L20 a launch is reported after a look at what became of it", () => {
  it.each([
    ["is not there", ["no-such-program"], { state: "failed", endReason: "exited", exitCode: 127 }, 1],
    ["dies in 200 ms", shell("sleep 0.2; echo dying; exit 3"), { state: "failed", exitCode: 3 }, 1],
    ["lives", LIVE, { state: "running", endReason: null, exitCode: null }, 0],
  ])("L20 a command that %s", async (_, command, run, exit) => {
    const document = await sortie.ask(makeCall(command, "--detach"));
    expect(document).toMatchObject({ exit, run });
    expect(Object.keys(document.run)).toEqual(
      expect.arrayContaining("id name state jobFolder session pid host gpus log expected".split(" ")),
    );
    expect(document.plan).toEqual({ id: expect.stringMatching(/^p/), expiresAt: expect.any(String) });
    expect(document.run.pid).toBeGreaterThan(1);
  });

  it("L20 people are shown the lines that a dead command left, and where a living one is", async () => {
    const dead = await sortie.run(makeCall(shell("echo the last words >&2; exit 9"), "--detach"));
    expect(dead.exitCode).toBe(1);
    expect(dead.stdout).toMatch(/failed.*exit code 9/);
    expect(dead.stdout).toMatch(/the last words/);
    const alive = await sortie.run(makeCall(LIVE, "--detach", "--expect", "5m", "--name", "mine"));
    expect(alive.exitCode).toBe(0);
    expect(alive.stdout).toMatch(
      /mine is running on .*\n.*command .*\n.*GPU +none\n.*process +\d+, screen \d+\.mine\n.*log +\/.*log\n.*expected +5 min/,
    );
    for (const next of ["logs -f", "wait", "stop"]) expect(alive.stdout).toContain(`sortie ${next} mine`);
  });
});

it("L21 no screens and no runs are no error", async () => {
  const people = await sortie.run(["ls"]);
  expect(people).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("No runs.") });
  expect(await sortie.ask(["ls"])).toMatchObject({ exit: 0, schema: 1, runs: [] });
  expect(await sortie.ask(["show", "any"])).toMatchObject({ exit: 2, error: { code: "run_unknown" } });
  expect(await sortie.ask(["doctor"])).toMatchObject({ exit: 0, ok: true });
});

describe("L22 a program that is killed with signal 9", () => {
  const killed = makeCall(shell("echo working; kill -9 $$"));

  it("L22 has failed by a signal, and nobody speaks of memory", async () => {
    const { exit, run } = await sortie.ask(killed);
    expect({ exit, run }).toMatchObject({
      exit: 1,
      run: { state: "failed", endReason: "signal", exitCode: 137 },
    });
    const shown = await sortie.show(run.id);
    expect(`${shown.cause} ${shown.evidence}`).not.toMatch(/out of memory|OOM killer/);
  });

  it("L22 was out of memory where the kernel says so of this process, and of no other", async () => {
    const call = { env: { PATH: `${sortie.temp()}${delimiter}${process.env["PATH"]}` } };
    const makeKernelLog = (pid: string) =>
      writeFileSync(
        join(sortie.temp(), "dmesg"),
        `#!/bin/sh\necho "[99.5] Out of memory: Killed process ${pid} (python) total-vm:9kB, anon-rss:8kB"\n`,
        { mode: 0o755 },
      );
    makeKernelLog("1$(sed -n 's/^group=//p' pid)");
    expect(await sortie.ask(killed, call)).toMatchObject({ run: { endReason: "signal" } });
    makeKernelLog("$(sed -n 's/^group=//p' pid)");
    const { run } = await sortie.ask(killed, call);
    expect(run).toMatchObject({ state: "failed", endReason: "oom", exitCode: 137 });
    expect((await sortie.show(run.id)).evidence).toMatch(/Killed process \d+ \(python\)/);
  });
});

it("L26 a run has ended with its command, and a child that holds the log open is ended after the grace time", async () => {
  const document = await sortie.ask(makeCall(shell("sleep 300 & echo main done")));
  expect(document).toMatchObject({ exit: 0, run: { state: "succeeded", exitCode: 0 } });
  const left = () => findOwnProcesses().filter(({ command }) => command === "sleep 300");
  await waitFor(() => left().length === 0, { what: "the child to be ended" });
});

/** Root in a container without CAP_SYS_ADMIN may not. */
const canUnshare = spawnSync("unshare", ["-m", "--pid", "--fork", "true"]).status === 0;

describe.skipIf(!canUnshare)("L28 a run is judged on its own host alone", () => {
  /** The command inside of other namespaces, as a container or a host after its restart would see the same home. */
  const askInside = async (wrap: readonly string[], args: readonly string[]) => {
    const outcome = await sortie.runner.run([...wrap, process.execPath, SORTIE, ...args, "--json"], {
      env: sortie.makeEnv(),
      cwd: sortie.project(),
      timeoutMs: 30_000,
    });
    return { ...JSON.parse(outcome.stdout), exit: outcome.exitCode };
  };

  it("L28 after a restart of the host it is lost, and the reason is said", async () => {
    const { id } = await sortie.launch(LIVE);
    const boot = join(sortie.temp(), "boot_id");
    writeFileSync(boot, "11111111-2222-3333-4444-555555555555\n");
    const mount = 'mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"';
    const shown = await askInside(["unshare", "-m", "sh", "-c", mount, boot], ["show", id]);
    expect(shown).toMatchObject({ state: "lost", endReason: "host_restarted", exitCode: null });
    expect(shown.nextStep).toMatch(/rerun/);
    expect(await sortie.ask(["wait", id])).toMatchObject({ exit: 1, state: "lost" });
  });

  it("L28 from a neighbouring container it is neither judged nor stopped", async () => {
    const { id, pid } = await sortie.launch(LIVE);
    const neighbour = ["unshare", "--pid", "--fork", "--mount-proc"];
    const before = await sortie.show(id);
    const shown = await askInside(neighbour, ["show", id]);
    expect(shown).toMatchObject({ state: "running", reachable: false, observedAt: expect.any(String) });
    expect(shown.observedAt >= before.observedAt).toBe(true);
    const stopped = await askInside(neighbour, ["stop", id]);
    expect(stopped).toMatchObject({ exit: 5, error: { code: "run_out_of_reach" } });
    expect(isAlive(pid)).toBe(true);
    expect(await sortie.show(id)).toMatchObject({ state: "running", reachable: true });
  });
});

describe("a run outlives", () => {
  it.each([
    ["detached", ["--detach"], /kept is running on/],
    ["followed", [], /kept is running on [\s\S]*\nIts log:\nup\n/],
  ])("the shell that launched it, %s, when its whole process group is killed", async (_, flags, sign) => {
    const script = '"$@"; exec sleep 300';
    const args = [
      "-c",
      script,
      "sh",
      process.execPath,
      SORTIE,
      ...makeCall(LIVE, "--name", "kept", ...flags),
    ];
    const assistant = spawn("sh", args, {
      detached: true,
      env: sortie.makeEnv() as NodeJS.ProcessEnv,
      cwd: sortie.project(),
      stdio: ["ignore", "pipe", "ignore"],
    });
    let said = "";
    assistant.stdout.on("data", (bytes) => (said += bytes));
    await waitFor(() => sign.test(said), { what: "the launch" });
    process.kill(-(assistant.pid as number), "SIGKILL");
    for (const pid of listSession(assistant.pid as number)) killQuietly(pid);
    const run = await sortie.show("kept");
    expect(run).toMatchObject({ state: "running", reachable: true });
    expect(isAlive(run.pid)).toBe(true);
    expect(await sortie.ask(["stop", "kept"])).toMatchObject({ exit: 0, state: "stopped", exitCode: 143 });
  });
});

it("closing the window of its screen is a stop, by hang-up", async () => {
  const { id, session } = await sortie.launch(LIVE, ["--name", "windowed"]);
  expect(session).toMatch(/^\d+\.windowed$/);
  const outcome = await sortie.runner.run(["screen", "-S", session, "-X", "quit"], {
    env: sortie.makeEnv(),
    timeoutMs: 5000,
  });
  expect(outcome.exitCode).toBe(0);
  const ended = await sortie.waitForState(id, ["stopped"]);
  expect(ended).toMatchObject({ endReason: "hang_up" });
});

it("a time limit ends a run that goes on too long", async () => {
  const stubborn = shell("trap '' TERM; echo up; while :; do sleep 0.1; done");
  const { exit, run } = await sortie.ask(makeCall(stubborn, "--timeout", "1s"));
  expect({ exit, run }).toMatchObject({
    exit: 1,
    run: { state: "failed", endReason: "time_limit", exitCode: 137 },
  });
});

function listSession(leader: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 0 && readSession(pid) === leader);
}

function readSession(pid: number): number | null {
  try {
    const stat = readText(`/proc/${pid}/stat`);
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]);
  } catch {
    return null; // it has ended meanwhile
  }
}
