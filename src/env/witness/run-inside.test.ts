import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeLocalEnvHost, makeSshEnvHost } from "../../../test/support/env-host.ts";
import { findOwnProcesses } from "../../../test/support/own-processes.ts";
import { findShells } from "../../../test/support/shells.ts";
import { useSshd } from "../../../test/support/sshd.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import type { EnvHost } from "../env-host.ts";
import { type Inside, type InsideJob, runInside } from "./run-inside.ts";

const folder = useTempFolder();
const sshd = useSshd();

function makeInside(change: Partial<Inside> = {}): Inside {
  return { enter: { lines: [], shell: "sh" }, python: "sh", folder: null, variables: {}, ...change };
}

function makeJob(text: string, change: Partial<InsideJob> = {}): InsideJob {
  return { text, programs: {}, runsIn: "empty", timeoutS: 20, ...change };
}

function makePlace(): string {
  const place = join(folder(), "tmp");
  mkdirSync(place, { recursive: true });
  return place;
}

/** A host that reads its scripts by this shell. */
function makeShellHost(shell: string): EnvHost {
  const env = { ...process.env, TMPDIR: makePlace() };
  return {
    name: shell,
    runScript: (text, options) =>
      makeLocalRunner().run([...shell.split(" "), "-s"], { ...options, stdin: text, env }),
  };
}

test.each(findShells())("under %s: all that a job leaves is told, and nothing stays", async (shell) => {
  const inside = makeInside({
    enter: { lines: ["export GREETING=hello", "cat", "echo noise"], shell: "sh" },
    variables: { AWKWARD: 'it\'s a "$test"\n`x`' },
  });
  const text = [
    'printf "%s|%s" "$GREETING" "$AWKWARD"',
    'cat "$sortie_place/programs/it\'s.py" >&2',
    'printf "no end of line" >"$sortie_place/parts/one"',
    "sleep 600 &",
    "exit 3",
  ].join("\n");
  const programs = { "it's.py": "print('it\\'s $HOME')\n\n" };
  const outcome = await runInside(makeShellHost(shell), inside, makeJob(text, { programs }));
  expect(outcome).toMatchObject({
    ...{ state: "ended", stage: "run", exitCode: 3 },
    ...{ stdout: 'hello|it\'s a "$test"\n`x`', stderr: "noise\nprint('it\\'s $HOME')\n\n" },
    parts: { one: "no end of line" },
  });
  expect(readdirSync(makePlace())).toEqual([]);
  expect(findOwnProcesses()).toEqual([]);
});

test.each(findShells())("under %s: what does not end is killed with all that it started", async (shell) => {
  const text = "trap '' TERM HUP\nsleep 600 &\nsleep 600";
  const outcome = await runInside(makeShellHost(shell), makeInside(), makeJob(text, { timeoutS: 1 }));
  expect(outcome).toMatchObject({ state: "timed_out", exitCode: 137 });
  expect(readdirSync(makePlace())).toEqual([]);
});

test("a job is told where it failed", async () => {
  const host = makeLocalEnvHost({ env: { TMPDIR: makePlace() } });
  const gone = await runInside(host, makeInside({ folder: "/no/such/folder" }), makeJob("true"));
  expect(gone).toMatchObject({ stage: "folder", stderr: expect.stringMatching(/no\/such\/folder/) });
  const missing = await runInside(host, makeInside({ python: "/no/python" }), makeJob("true"));
  expect(missing).toMatchObject({
    stage: "enter",
    exitCode: 127,
    stderr: expect.stringMatching(/no\/python/),
  });
  const own = await runInside(host, makeInside(), makeJob("exit 75", { lease: "true" }));
  expect(own).toMatchObject({ state: "ended", stage: "run", exitCode: 75 });
});

test("a project is entered, an empty folder worked in", async () => {
  const host = makeLocalEnvHost();
  const inside = makeInside({ folder: folder(), enter: { lines: ["pwd"], shell: "bash" } });
  const entered = await runInside(host, inside, makeJob("ls -A; pwd"));
  expect(entered.stderr.trim()).toBe(folder());
  expect(entered.stdout).toMatch(/^\S+sortie-inside\S+work\n$/);
  const project = await runInside(host, inside, makeJob("pwd", { runsIn: "project" }));
  expect(project.stdout).toBe(`${folder()}\n`);
});

test("one that is called off ends on its host, and is no result", async () => {
  const controller = new AbortController();
  const host = makeLocalEnvHost({ env: { TMPDIR: makePlace() } });
  const job = makeJob(`: >'${join(folder(), "began").replaceAll("'", "'\\''")}'; sleep 600`, {
    signal: controller.signal,
  });
  const ended = expect(runInside(host, makeInside(), job)).rejects.toMatchObject({ code: "interrupted" });
  await waitFor(() => readdirSync(folder()).includes("began"), { timeoutMs: 20_000 });
  controller.abort();
  await ended;
  await waitFor(() => findOwnProcesses().length === 0, { timeoutMs: 20_000 });
});

test("a host without room for temporary files is told of", async () => {
  const host = makeLocalEnvHost({ env: { TMPDIR: join(folder(), "gone") } });
  const refused = runInside(host, makeInside(), makeJob("true"));
  await expect(refused).rejects.toMatchObject({
    code: "environment_silent",
    message: expect.stringMatching(/mktemp/),
  });
});

test("a connection that is cut ends the job on the host", async () => {
  const host = makeSshEnvHost(sshd(), { env: { TMPDIR: makePlace() } });
  const file = join(folder(), "pid");
  const job = makeJob(`echo $$ >'${file.replaceAll("'", "'\\''")}'; sleep 600`, { timeoutS: 300 });
  const ended = expect(runInside(host, makeInside(), job)).rejects.toMatchObject({ name: "SortieError" });
  await waitFor(() => readdirSync(folder()).includes("pid"), { timeoutMs: 20_000 });
  sshd().proxy.cut();
  await ended;
  await waitFor(() => readdirSync(makePlace()).length === 0, { timeoutMs: 30_000 });
  // Killed already, it may wait for a moment to be asked for by whoever inherited it.
  await waitFor(() => !isRunning(Number(readFileSync(file, "utf8"))), { timeoutMs: 20_000 });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // it has ended, as it should
  }
}
