import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { makeTestJob, type TestJobOptions } from "../../test/support/job.ts";
import { useSshd } from "../../test/support/sshd.ts";
import { findWorkProcesses, makeHostFolder, makeSshTestTarget } from "../../test/support/target-places.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import type { Target } from "./target.ts";

const tempFolder = useTempFolder();
const sshd = useSshd();
const shell = (text: string) => ["sh", "-c", text];
const waitUntilQuiet = () =>
  waitFor(() => findWorkProcesses().length === 0, { what: "the end of every process" });

interface Place {
  /** On the host of the target. */
  readonly folder: string;
  /** Absent: this machine. */
  readonly target?: Target;
}

const places: [name: string, findPlace: () => Place][] = [
  ["this machine", () => ({ folder: tempFolder() })],
  ["a host over SSH", () => ({ folder: makeHostFolder(sshd()), target: makeSshTestTarget(sshd()) })],
];

describe.each(places)("on %s", (_, findPlace) => {
  let place: Place;
  beforeEach(() => {
    place = findPlace();
  });
  const folder = () => place.folder;
  const makeJob = (options: TestJobOptions) => makeTestJob(folder(), { ...options, target: place.target });

  describe("the end of a command", () => {
    it.each([
      ["exit 0", 0, "succeeded", "exited"],
      ["exit 42", 42, "failed", "exited"],
      ["kill -9 $$", 137, "failed", "signal"],
      ["kill -TERM $$", 143, "failed", "signal"],
      ["exec no-such-program-here", 127, "failed", "exited"],
    ])("%s", async (text, exitCode, state, endReason) => {
      const job = makeJob({ command: shell(text) });
      await job.start();
      expect(await job.waitForEnd()).toMatchObject({ state, endReason, exitCode });
      await waitUntilQuiet();
    });

    it("keeps the output and the exit code together when the command is quick", async () => {
      const job = makeJob({
        command: shell("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; exit 3"),
      });
      await job.start();
      expect((await job.waitForEnd()).exitCode).toBe(3);
      expect(job.readLog().split("\n")).toHaveLength(3001);
      await waitUntilQuiet();
    });

    it("L24 keeps lines that Python did not flush before it was killed", async () => {
      const script = join(folder(), "slow.py");
      writeFileSync(
        script,
        "import os, signal\nprint('first')\nprint('second')\nos.kill(os.getpid(), signal.SIGKILL)\n",
      );
      const job = makeJob({ command: ["/usr/bin/python3", script] });
      await job.start({ PYTHONUNBUFFERED: undefined });
      expect(await job.waitForEnd()).toMatchObject({ state: "failed", endReason: "signal", exitCode: 137 });
      expect(job.readLog()).toBe("first\nsecond\n");
      await waitUntilQuiet();
    });

    it("L26 ends with the command, and frees what it left behind after the grace time", async () => {
      const job = makeJob({
        command: shell("sleep 300 & echo main done"),
        supervisor: { graceS: 1 },
      });
      await job.start();
      expect(await job.waitForEnd()).toMatchObject({ state: "succeeded", exitCode: 0 });
      await waitUntilQuiet();
    });

    it("is a time limit when the time is over, also for a command that ignores TERM", async () => {
      const job = makeJob({
        command: shell("trap '' TERM; while :; do sleep 0.1; done"),
        supervisor: { timeLimitS: 1, graceS: 1 },
      });
      await job.start();
      expect(await job.waitForEnd()).toMatchObject({
        state: "failed",
        endReason: "time_limit",
        exitCode: 137,
      });
      await waitUntilQuiet();
    });
  });

  describe("a stop", () => {
    it("says who asked, and leaves the command time to end by itself", async () => {
      const job = makeJob({
        command: shell("trap 'echo saved; exit 5' TERM; echo up; while :; do sleep 0.05; done"),
      });
      await job.start();
      await waitFor(() => existsSync(job.files.log) && job.readLog().includes("up"));
      const { survivors } = await job.target.stop(handleOf(job), { graceS: 5, by: "the test" });
      expect(survivors).toEqual([]);
      expect(await job.judge()).toMatchObject({ state: "stopped", endReason: "stopped", exitCode: 5 });
      expect(readFileSync(job.files.stop, "utf8")).toContain("by=the test");
      expect(job.readLog()).toContain("saved");
      await waitUntilQuiet();
    });

    it("reaches children that ignore TERM or have left the group", async () => {
      const job = makeJob({
        command: shell(
          "trap '' TERM; setsid sleep 300 & (trap '' TERM; sleep 300) & echo up; wait; sleep 300",
        ),
      });
      await job.start();
      await waitFor(() => existsSync(job.files.log) && job.readLog().includes("up"));
      const { survivors } = await job.target.stop(handleOf(job), { graceS: 1, by: "the test" });
      expect(survivors).toEqual([]);
      expect(await job.judge()).toMatchObject({ state: "stopped", exitCode: 137 });
      await waitUntilQuiet();
    });

    it("keeps a run that has not started from ever starting", async () => {
      const job = makeJob({ command: shell("echo started") });
      await job.target.prepare(job.job);
      await job.target.stop(handleOf(job), { graceS: 1, by: "the test" });
      await expect(job.target.launch(job.job, process.env)).resolves.toMatchObject({
        pid: { closed: "yes" },
      });
      expect(await job.judge()).toMatchObject({ state: "stopped" });
      expect(existsSync(job.files.log)).toBe(false);
      await waitUntilQuiet();
    });
  });

  describe("what is left when the supervisor is killed", () => {
    it("is a running run while the command lives, and a lost one after", async () => {
      const job = makeJob({ command: shell("echo up; exec sleep 300") });
      await job.start();
      await waitFor(() => existsSync(job.files.log) && job.readLog().includes("up"));
      process.kill(Number(job.readPid("supervisor")), "SIGKILL");
      await waitFor(async () => (await observe(job))?.supervisorAlive === false);
      expect(await job.judge()).toMatchObject({ state: "running" });
      process.kill(Number(job.readPid("group")), "SIGKILL");
      expect(await job.waitForEnd()).toMatchObject({ state: "lost", endReason: "supervisor_killed" });
      await job.target.tidy(handleOf(job));
      expect(readdirSync(job.files.folder).filter((name) => /tmp|new|pipe/.test(name))).toEqual([]);
      await waitUntilQuiet();
    });

    it("can still be stopped", async () => {
      const job = makeJob({ command: shell("echo up; exec sleep 300") });
      await job.start();
      await waitFor(() => existsSync(job.files.log) && job.readLog().includes("up"));
      process.kill(Number(job.readPid("supervisor")), "SIGKILL");
      const { survivors } = await job.target.stop(handleOf(job), { graceS: 1, by: "the test" });
      expect(survivors).toEqual([]);
      expect(await job.judge()).toMatchObject({ state: "stopped" });
      await waitUntilQuiet();
    });
  });

  it("L1 hands every argument to the program byte for byte", async () => {
    const odd = [
      "it's",
      'a "b"',
      "$HOME",
      "`id`",
      "; exit 9",
      "two\nlines",
      "🚀 ü",
      "",
      "-n",
      "\\",
      "*",
      "tab\there",
    ];
    const script = join(folder(), `my train's "v2".py`);
    writeFileSync(script, "import json, sys\nprint(json.dumps(sys.argv[1:]))\n");
    const job = makeJob({ command: ["/usr/bin/python3", script, ...odd] });
    await job.start();
    expect(await job.waitForEnd()).toMatchObject({ state: "succeeded" });
    expect(JSON.parse(job.readLog())).toEqual(odd);
    await waitUntilQuiet();
  });

  it("starts the command with INT and QUIT as a program expects them", async () => {
    const job = makeJob({ command: ["grep", "SigIgn", "/proc/self/status"] });
    await job.start();
    expect(await job.waitForEnd()).toMatchObject({ state: "succeeded" });
    expect(Number.parseInt(job.readLog().split(/\s+/)[1] as string, 16) & 0b110).toBe(0);
    await waitUntilQuiet();
  });

  it("gives variables by a private file that is gone once it was read", async () => {
    const value = "s3cret 'quoted' $x\nline";
    const job = makeJob({
      command: shell('printf "%s\\n" "$KEY"; sleep 300'),
      variables: { KEY: value },
    });
    await job.target.prepare(job.job, { isParked: true });
    expect(statSync(job.files.env).mode & 0o777).toBe(0o600);
    await job.start();
    await waitFor(() => existsSync(job.files.log) && job.readLog().endsWith("\n"));
    expect(job.readLog()).toBe(`${value}\n`);
    expect(existsSync(job.files.env)).toBe(false);
    await job.target.stop(handleOf(job), { graceS: 1, by: "the test" });
    await waitUntilQuiet();
  });
});

function handleOf({ job }: ReturnType<typeof makeTestJob>) {
  return { id: job.supervisor.runId, jobFolder: job.supervisor.jobFolder, attempt: 1 };
}

async function observe(job: ReturnType<typeof makeTestJob>) {
  return (await job.target.observe([handleOf(job)]))?.runs.get(job.job.supervisor.runId);
}
