import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTestJob } from "../../../test/support/job.ts";
import { findOwnProcesses } from "../../../test/support/own-processes.ts";
import { linkTools } from "../../../test/support/shells.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";

const folder = useTempFolder();
const runner = makeLocalRunner();
const shell = (text: string) => ["sh", "-c", text];
const waitUntilQuiet = () =>
  waitFor(() => findOwnProcesses().length === 0, { what: "the end of every process" });

describe("the end of a command", () => {
  it.each([
    ["exit 0", 0, "succeeded", "exited"],
    ["exit 42", 42, "failed", "exited"],
    ["kill -9 $$", 137, "failed", "signal"],
    ["kill -TERM $$", 143, "failed", "signal"],
    ["exec no-such-program-here", 127, "failed", "exited"],
  ])("%s", async (text, exitCode, state, endReason) => {
    const job = makeTestJob(folder(), { command: shell(text) });
    await job.start();
    expect(await job.waitForEnd()).toMatchObject({ state, endReason, exitCode });
    await waitUntilQuiet();
  });

  it("keeps the output and the exit code together when the command is quick", async () => {
    const job = makeTestJob(folder(), {
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
    const job = makeTestJob(folder(), { command: ["/usr/bin/python3", script] });
    await job.start({ PYTHONUNBUFFERED: undefined });
    expect(await job.waitForEnd()).toMatchObject({ state: "failed", endReason: "signal", exitCode: 137 });
    expect(job.readLog()).toBe("first\nsecond\n");
    await waitUntilQuiet();
  });

  it("L26 ends with the command, and frees what it left behind after the grace time", async () => {
    const job = makeTestJob(folder(), {
      command: shell("sleep 300 & echo main done"),
      supervisor: { graceS: 1 },
    });
    await job.start();
    expect(await job.waitForEnd()).toMatchObject({ state: "succeeded", exitCode: 0 });
    await waitUntilQuiet();
  });

  it("frees at once what a killed attempt left behind, where another may follow it", async () => {
    const job = makeTestJob(folder(), {
      command: shell("sleep 300 & setsid sleep 300 & kill -9 $$"),
      supervisor: { graceS: 60, lastAttempt: 2 },
    });
    await job.start();
    expect(await job.waitForEnd()).toMatchObject({ state: "failed", endReason: "signal" });
    await waitUntilQuiet();
  });

  it("is a time limit when the time is over, also for a command that ignores TERM", async () => {
    const job = makeTestJob(folder(), {
      command: shell("trap '' TERM; while :; do sleep 0.1; done"),
      supervisor: { timeLimitS: 1, graceS: 1 },
    });
    await job.start();
    expect(await job.waitForEnd()).toMatchObject({ state: "failed", endReason: "time_limit", exitCode: 137 });
    await waitUntilQuiet();
  });

  it("is on record also where the disk is full", async () => {
    const disk = join(folder(), "disk");
    mkdirSync(disk);
    await mount(disk);
    try {
      const job = makeTestJob(disk, { command: shell("head -c 3000000 /dev/zero; exit 7") });
      await job.start();
      expect(await job.waitForEnd()).toMatchObject({ state: "failed", exitCode: 7 });
      await waitUntilQuiet();
    } finally {
      await runner.run(["umount", disk], { timeoutMs: 5000 });
    }
  });
});

describe("a stop", () => {
  it("says who asked, and leaves the command time to end by itself", async () => {
    const job = makeTestJob(folder(), {
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
    const job = makeTestJob(folder(), {
      command: shell("trap '' TERM; setsid sleep 300 & (trap '' TERM; sleep 300) & echo up; wait; sleep 300"),
    });
    await job.start();
    await waitFor(() => existsSync(job.files.log) && job.readLog().includes("up"));
    const { survivors } = await job.target.stop(handleOf(job), { graceS: 1, by: "the test" });
    expect(survivors).toEqual([]);
    expect(await job.judge()).toMatchObject({ state: "stopped", exitCode: 137 });
    await waitUntilQuiet();
  });

  it("keeps a run that has not started from ever starting", async () => {
    const job = makeTestJob(folder(), { command: shell("echo started") });
    await job.target.prepare(job.job);
    await job.target.stop(handleOf(job), { graceS: 1, by: "the test" });
    await expect(job.target.launch(job.job, process.env)).resolves.toMatchObject({ pid: { closed: "yes" } });
    expect(await job.judge()).toMatchObject({ state: "stopped" });
    expect(existsSync(job.files.log)).toBe(false);
    await waitUntilQuiet();
  });
});

describe("a screen session", () => {
  it("shows the log live, and closing it is a hang-up", async () => {
    const env = { SCREENDIR: makeScreenFolder() };
    const job = makeTestJob(folder(), {
      command: shell("echo hello from inside; exec sleep 300"),
      session: "sortie test",
      env,
    });
    const started = await job.start();
    expect(started).toMatchObject({ how: "screen", screenFault: null });
    expect(started.pid["session"]).toMatch(/^\d+\.sortie test$/);
    const session = started.pid["session"] as string;
    const copy = join(folder(), "copy");
    await waitFor(async () => {
      await screen(env, ["-S", session, "-X", "hardcopy", copy]);
      return existsSync(copy) && readFileSync(copy, "utf8").includes("hello from inside");
    });
    await screen(env, ["-S", session, "-X", "quit"]);
    expect(await job.waitForEnd()).toMatchObject({ state: "stopped", endReason: "hang_up" });
    await waitUntilQuiet();
  });

  it("holds nothing up when its window stands still", async () => {
    const env = { SCREENDIR: makeScreenFolder() };
    const text =
      'while [ ! -e go ]; do sleep 0.05; done; head -c 3000000 /dev/zero | tr "\\0" x; echo; echo the end';
    const job = makeTestJob(folder(), { command: shell(text), session: "still", env });
    const session = (await job.start()).pid["session"] as string;
    await screen(env, ["-S", session, "-X", "stuff", "\u0013"]); // Ctrl-S stops the terminal's output
    writeFileSync(join(folder(), "go"), "");
    expect(await job.waitForEnd()).toMatchObject({ state: "succeeded", exitCode: 0 });
    expect(job.readLog()).toMatch(/x\nthe end\n$/);
    await waitUntilQuiet();
  });

  it.each([
    ["Ctrl-C", "\u0003", "INT"],
    ["Ctrl-\\", "\u001c", "QUIT"],
  ])("%s in its window is a stop that reaches the command", async (_, key, signal) => {
    const env = { SCREENDIR: makeScreenFolder() };
    const text = `import signal, sys, time
signal.signal(signal.SIG${signal}, lambda *_: sys.exit(9))
print("up")
while True: time.sleep(0.05)`;
    const job = makeTestJob(folder(), { command: ["python3", "-c", text], session: "keys", env });
    const session = (await job.start()).pid["session"] as string;
    await waitFor(() => existsSync(job.files.log) && job.readLog().includes("up"));
    await screen(env, ["-S", session, "-X", "stuff", key]);
    expect(await job.waitForEnd()).toMatchObject({ state: "stopped", endReason: "stopped", exitCode: 9 });
    expect(readFileSync(job.files.stop, "utf8")).toContain(`by=${signal}`);
    await waitUntilQuiet();
  });

  it("L19 is replaced by a plain session when its folder cannot be used, and that is said", async () => {
    const bad = join(folder(), "screens");
    mkdirSync(bad, { mode: 0o755 });
    const job = makeTestJob(folder(), { command: shell("echo ran"), session: "s", env: { SCREENDIR: bad } });
    const started = await job.start();
    expect(started.how).toBe("session");
    expect(started.screenFault).toMatch(/700/);
    expect(await job.waitForEnd()).toMatchObject({ state: "succeeded" });
    await waitUntilQuiet();
  });

  it("L19 is replaced by a plain session when screen is not installed", async () => {
    const PATH = linkTools(join(folder(), "tools"), TOOLS);
    const job = makeTestJob(folder(), { command: shell("echo ran; exit 4"), session: "s", env: { PATH } });
    const started = await job.start();
    expect(started).toMatchObject({ how: "session", screenFault: null });
    expect(await job.waitForEnd()).toMatchObject({ state: "failed", exitCode: 4 });
    await waitUntilQuiet();
  });

  function makeScreenFolder(): string {
    const path = join(folder(), "screens");
    mkdirSync(path, { mode: 0o700 });
    return path;
  }
});

describe("what is left when the supervisor is killed", () => {
  it("is a running run while the command lives, and a lost one after", async () => {
    const job = makeTestJob(folder(), { command: shell("echo up; exec sleep 300") });
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
    const job = makeTestJob(folder(), { command: shell("echo up; exec sleep 300") });
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
  const job = makeTestJob(folder(), { command: ["/usr/bin/python3", script, ...odd] });
  await job.start();
  expect(await job.waitForEnd()).toMatchObject({ state: "succeeded" });
  expect(JSON.parse(job.readLog())).toEqual(odd);
  await waitUntilQuiet();
});

it("starts the command with INT and QUIT as a program expects them", async () => {
  const job = makeTestJob(folder(), { command: ["grep", "SigIgn", "/proc/self/status"] });
  await job.start();
  expect(await job.waitForEnd()).toMatchObject({ state: "succeeded" });
  expect(Number.parseInt(job.readLog().split(/\s+/)[1] as string, 16) & 0b110).toBe(0);
  await waitUntilQuiet();
});

it("hands on the functions that bash exports", async () => {
  const env = { "BASH_FUNC_module%%": "() { echo module $1 loaded; }" };
  const job = makeTestJob(folder(), { command: ["bash", "-c", "module cuda"], env });
  await job.start();
  expect(await job.waitForEnd()).toMatchObject({ state: "succeeded" });
  expect(job.readLog()).toBe("module cuda loaded\n");
  await waitUntilQuiet();
});

it("leaves the caller's variables as they are, and hands none of the scripts' own to the command", async () => {
  const names = [
    "TOKEN",
    "RUN_ID",
    "ATTEMPT",
    "PYTHON",
    "files",
    "group",
    "uuid",
    "code",
    "lease_file",
    "lease_tries",
  ];
  const env = Object.fromEntries(names.map((name) => [name, `mine ${name}`]));
  const ours = Object.fromEntries(
    ["run_id", "variables", "lease_file", "token", "stat_text"].map((name) => [`sortie_${name}`, "exported"]),
  );
  const job = makeTestJob(folder(), {
    command: shell(`${names.map((name) => `echo "$${name}"`).join("; ")}; env | grep ^sortie_`),
    env: { ...env, ...ours },
    variables: { SECRET: "s3cret" },
    supervisor: { gpuCount: 1, gpuCandidates: ["GPU-00000000-0000-0000-0000-000000000001"] },
  });
  await job.start();
  expect(await job.waitForEnd()).toMatchObject({ state: "failed", exitCode: 1 });
  expect(job.readLog().trim().split("\n")).toEqual(Object.values(env));
  await waitUntilQuiet();
});

it("gives variables by a private file that is gone once it was read", async () => {
  const value = "s3cret 'quoted' $x\nline";
  const job = makeTestJob(folder(), {
    command: shell('printf "%s" "$KEY"; echo; sleep 300'),
    variables: { KEY: value },
  });
  await job.target.prepare(job.job);
  expect(statSync(job.files.env).mode & 0o777).toBe(0o600);
  await job.start();
  await waitFor(() => existsSync(job.files.log) && job.readLog().includes("line"));
  expect(job.readLog()).toBe(`${value}\n`);
  expect(existsSync(job.files.env)).toBe(false);
  await job.target.stop(handleOf(job), { graceS: 1, by: "the test" });
  await waitUntilQuiet();
});

const TOOLS = [
  "sh",
  "cat",
  "sed",
  "awk",
  "grep",
  "sort",
  "tr",
  "wc",
  "date",
  "ln",
  "mv",
  "rm",
  "mkdir",
  "mkfifo",
  "tee",
  "sleep",
  "setsid",
  "uname",
  "readlink",
  "dmesg",
  "tail",
  "df",
  "flock",
];

function handleOf({ job }: ReturnType<typeof makeTestJob>) {
  return { id: job.supervisor.runId, jobFolder: job.supervisor.jobFolder, attempt: 1 };
}

async function observe(job: ReturnType<typeof makeTestJob>) {
  return (await job.target.observe([handleOf(job)]))?.runs.get(job.job.supervisor.runId);
}

async function screen(env: Record<string, string>, args: string[]) {
  return runner.run(["screen", ...args], { env: { ...process.env, ...env }, timeoutMs: 5000 });
}

async function mount(disk: string) {
  const outcome = await runner.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], {
    timeoutMs: 5000,
  });
  expect(outcome.stderr).toBe("");
}
