import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTestJob, type TestJob } from "../../../test/support/job.ts";
import { findOwnProcesses } from "../../../test/support/own-processes.ts";
import { findFewShells, findTool } from "../../../test/support/shells.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { waitFor } from "../../../test/support/wait-for.ts";

const folder = useTempFolder();
const shell = (text: string) => ["sh", "-c", text];
const DEAF = shell("trap '' TERM; echo up; while :; do sleep 0.05; done");
const waitUntilQuiet = () =>
  waitFor(() => findOwnProcesses().length === 0, { what: "the end of every process" });
const handleOf = ({ job }: TestJob) => ({
  id: job.supervisor.runId,
  jobFolder: job.supervisor.jobFolder,
  attempt: 1,
});

/** A PATH on which programs of these names are scripts with these texts; `$real` is the program itself. */
function makePath(programs: Readonly<Record<string, string>>): string {
  const place = join(folder(), "programs");
  mkdirSync(place, { recursive: true });
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(place, name), `#!/bin/dash\nreal='${findTool(name)}'\n${text}\n`);
    chmodSync(join(place, name), 0o755);
  }
  return `${place}${delimiter}${process.env["PATH"]}`;
}

/** The command's new session comes so many seconds late; the supervisor's own comes at once. */
const makeLateSession = (seconds: number) =>
  `case "$*" in *" command "*) sleep ${seconds} ;; esac\nexec "$real" "$@"`;

describe.each(findFewShells())("where %s is sh", (words) => {
  const makeShell = () => `exec ${words.replace(/^sh$/, "/bin/sh")} "$@"`;

  it("a stop that comes before the command has its session is not lost", async () => {
    const PATH = makePath({ sh: makeShell(), setsid: makeLateSession(1) });
    const job = makeTestJob(folder(), { command: shell("sleep 300"), env: { PATH } });
    await job.start();
    const { survivors } = await job.target.stop(handleOf(job), { graceS: 20, by: "the test" });
    expect(survivors).toEqual([]);
    // KILL, after the grace time, would be 137.
    expect(await job.judge()).toMatchObject({ state: "stopped", exitCode: 143 });
    await waitUntilQuiet();
  });

  it("nor is the end of the time limit", async () => {
    const PATH = makePath({ sh: makeShell(), setsid: makeLateSession(3) });
    const supervisor = { timeLimitS: 1, graceS: 20 };
    const job = makeTestJob(folder(), { command: shell("sleep 300"), supervisor, env: { PATH } });
    await job.start();
    expect(await job.waitForEnd()).toMatchObject({ endReason: "time_limit", exitCode: 143 });
    await waitUntilQuiet();
  });

  it("a command that is deaf to TERM is killed when its grace is over, however slow the looks are", async () => {
    const looks = join(folder(), "looks");
    const PATH = makePath({
      sh: makeShell(),
      grep: `echo look >>"$LOOKS"\nsleep 0.4\nexec "$real" "$@"`,
    });
    const job = makeTestJob(folder(), { command: DEAF, env: { PATH, LOOKS: looks } });
    await job.start({ PATH: process.env["PATH"] });
    await waitFor(() => existsSync(job.files.log) && job.readLog().includes("up"));
    const { survivors } = await job.target.stop(handleOf(job), { graceS: 1, by: "the test" });
    expect(survivors).toEqual([]);
    expect(await job.judge()).toMatchObject({ state: "stopped", exitCode: 137 });
    // A look takes 0.4 s at least, the grace time 1 s.
    expect(readFileSync(looks, "utf8").split("\n").length).toBeLessThan(11);
    await waitUntilQuiet();
  });
});

it("a stop that cannot come to its end says so, with a code of its own", async () => {
  writeFileSync(join(folder(), "file"), "");
  const job = makeTestJob(folder(), { command: shell("true") });
  const handle = { ...handleOf(job), jobFolder: join(folder(), "file", "run") };
  await expect(job.target.stop(handle, { graceS: 1, by: "the test" })).rejects.toMatchObject({
    code: "stop_unfinished",
    exit: 5,
    retryable: true,
  });
});

it("a start that fails before the command is no exit code of the command", async () => {
  // The command's side has a PATH of its own: it finds no bash.
  const session = `case "$*" in *" command "*) PATH=/nowhere; exec "$real" /bin/sh "$2" "$3" "$4" ;; esac
exec "$real" "$@"`;
  const PATH = makePath({ setsid: session });
  const job = makeTestJob(folder(), {
    command: shell("true"),
    variables: { KEY: "s3cret" },
    supervisor: { jobShell: "bash" },
    env: { PATH },
  });
  await job.start();
  const verdict = await job.waitForEnd();
  expect(verdict).toMatchObject({ state: "failed", endReason: "launch_failed", exitCode: null });
  expect(verdict.evidence).toContain("ended before that");
  await waitUntilQuiet();
  expect(existsSync(job.files.env)).toBe(false);
});

it("measures memory by the page size of the host", async () => {
  const command = shell(
    "exec python3 -c 'import time; x = bytearray(64 << 20); print(1, flush=True); time.sleep(300)'",
  );
  const measure = async (pageBytes: number) => {
    const PATH = makePath({ getconf: `echo ${pageBytes}` });
    const job = makeTestJob(folder(), { command, supervisor: { sampleS: 1 }, env: { PATH } });
    await job.start();
    const readSamples = () =>
      existsSync(job.files.samples) ? readFileSync(job.files.samples, "utf8").trim().split("\n") : [];
    await waitFor(() => existsSync(job.files.log) && job.readLog().includes("1"), { what: "its memory" });
    // The first sample from here on may have been begun before.
    const before = readSamples().length;
    await waitFor(() => readSamples().length > before + 1, { what: "samples" });
    const last = readSamples().at(-1);
    await job.target.stop(handleOf(job), { graceS: 1, by: "the test" });
    return Number(last?.split(",")[2]);
  };
  const small = await measure(4096);
  expect(await measure(65_536)).toBeGreaterThan(small * 10);
  await waitUntilQuiet();
});
