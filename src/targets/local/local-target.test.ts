import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
  it("frees at once what a killed attempt left behind, where another may follow it", async () => {
    const job = makeTestJob(folder(), {
      command: shell("sleep 300 & setsid sleep 300 & kill -9 $$"),
      supervisor: { graceS: 60, lastAttempt: 2 },
    });
    await job.start();
    expect(await job.waitForEnd()).toMatchObject({ state: "failed", endReason: "signal" });
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

async function screen(env: Record<string, string>, args: string[]) {
  return runner.run(["screen", ...args], { env: { ...process.env, ...env }, timeoutMs: 5000 });
}

async function mount(disk: string) {
  const outcome = await runner.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], {
    timeoutMs: 5000,
  });
  expect(outcome.stderr).toBe("");
}
