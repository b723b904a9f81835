import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { describe, expect, it } from "vitest";
import { loadOwnIdentity } from "../src/process/identity.ts";
import { canMount, useMounts } from "./support/mounts.ts";
import { findOwnProcesses } from "./support/own-processes.ts";
import { useSortie } from "./support/sortie.ts";
import { waitFor } from "./support/wait-for.ts";
import { findWatcherPid } from "./support/watcher-pid.ts";

const sortie = useSortie();
const { mountReadOnly, mountSmall } = useMounts();
const database = () => join(sortie.home(), "sortie.db");
const waitUntilIdle = () =>
  waitFor(() => findOwnProcesses().length === 0, { timeoutMs: 20_000, what: "no process" });
const run = ["run", "--target", "local", "--yes", "--", "sh", "-c", "echo ran >>ran"];
const countRuns = () => (existsSync(join(sortie.project(), "ran")) ? 1 : 0);

const expectRefused = async (args: readonly string[], code: string, options = {}) => {
  const answer = await sortie.ask(args, options);
  expect(answer).toMatchObject({ exitCode: 5, error: { code } });
  const { stderr } = await sortie.run(args, options);
  expect(stderr.trimEnd().split("\n")).toHaveLength(2);
  expect(stderr).not.toMatch(/SQLITE| at /);
  return answer.error;
};

describe.skipIf(!canMount())("a home folder that cannot be written", () => {
  it("is read-only and new: said, nothing launched", async () => {
    mkdirSync(sortie.home(), { mode: 0o700 });
    mountReadOnly(sortie.home());
    for (const args of [run, ["ls"], ["adopt"]]) await expectRefused(args, "home_unwritable");
    expect(countRuns()).toBe(0);
    expect(await sortie.ask(["doctor"])).toMatchObject({ exitCode: 5, ok: false });
  });

  it("is read-only and in use: said, nothing launched, nothing changed", async () => {
    await sortie.launch(["true"]);
    await waitUntilIdle();
    const before = readFileSync(database());
    mountReadOnly(sortie.home());
    const error = await expectRefused(run, "home_unwritable");
    expect(error.hint).toContain("SORTIE_HOME");
    expect(countRuns()).toBe(0);
    expect(readFileSync(database())).toEqual(before);
  });

  it("is full: said, nothing launched", async () => {
    mountSmall(sortie.home(), 1024);
    await sortie.ask(["ls"]);
    fill(sortie.home());
    await expectRefused(run, "home_unwritable");
    expect(countRuns()).toBe(0);
    rmSync(join(sortie.home(), "fill"));
    expect(await sortie.ask(run)).toMatchObject({ exitCode: 0 });
  });

  it("becomes full while a run lives: it is seen, read and stopped all the same", async () => {
    mountSmall(sortie.home(), 4096);
    await sortie.launch(["sh", "-c", "echo begun; sleep 300"], ["--name", "mine"]);
    const fill = join(sortie.home(), "fill");
    await sortie.runner.run(["sh", "-c", 'head -c 9000000 /dev/zero >"$1"', "fill", fill], {
      timeoutMs: 10_000,
    });
    expect(await sortie.show("mine")).toMatchObject({ exit: 0, state: "running" });
    expect((await sortie.run(["logs", "mine"])).stdout).toBe("begun\n");
    const stopped = await sortie.run(["stop", "mine", "--grace", "1"]);
    expect(stopped).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("mine stopped") });
    expect(stopped.stderr).toContain("cannot be written");
    expect(await sortie.show("mine")).toMatchObject({ state: "stopped" });
    rmSync(fill);
    expect(await sortie.show("mine")).toMatchObject({ state: "stopped", endReason: "stopped" });
  });

  it("is full from the start", async () => {
    mountSmall(sortie.home(), 64);
    fill(sortie.home());
    await expectRefused(run, "home_unwritable");
    expect(countRuns()).toBe(0);
  });

  it("fills while a run goes on: its exit code is on record all the same", async () => {
    mountSmall(sortie.home(), 1024);
    const command = "while [ ! -e go ]; do sleep 0.05; done; seq 100000; exit 7";
    const launched = await sortie.launch(["sh", "-c", command]);
    fill(sortie.home());
    writeFileSync(join(sortie.project(), "go"), "");
    await waitFor(() => existsSync(join(launched.jobFolder, "exit")), {
      timeoutMs: 20_000,
      what: "its exit",
    });
    expect(await sortie.show(launched.id)).toMatchObject({ exit: 0, state: "failed", exitCode: 7 });
    rmSync(join(sortie.home(), "fill"));
    expect(await sortie.waitForState(launched.id, ["failed"])).toMatchObject({
      endReason: "exited",
      exitCode: 7,
    });
  });

  it("is a file, or lies below one", async () => {
    const file = join(sortie.temp(), "a file");
    writeFileSync(file, "mine");
    for (const SORTIE_HOME of [file, join(file, "below")])
      await expectRefused(run, "home_unwritable", { env: { SORTIE_HOME } });
    expect(readFileSync(file, "utf8")).toBe("mine");
  });
});

describe("a home folder that is named in an unusual way", () => {
  const expectUsed = async (folder: string, SORTIE_HOME: string, more = {}) => {
    const options = { env: { SORTIE_HOME, ...more } };
    const { exitCode, run: launched } = await sortie.ask(
      [...run.slice(0, 4), "--detach", ...run.slice(4)],
      options,
    );
    expect({ exitCode, jobFolder: launched.jobFolder }).toEqual({
      exitCode: 0,
      jobFolder: join(folder, "jobs", launched.id),
    });
    // The watcher works from another folder, and must mean the same one.
    await waitFor(() => existsSync(join(folder, "runs", launched.id)), {
      timeoutMs: 15_000,
      what: "the run at home",
    });
    await waitUntilIdle();
    expect(readdirSync(folder).sort()).toEqual(expect.arrayContaining(["jobs", "runs", "sortie.db"]));
  };

  it("is relative", () => expectUsed(join(sortie.project(), "here", "home"), "here/home"));
  it("begins with ~", () => expectUsed(join(sortie.temp(), "person", "s"), "~/s"));
  it("has a newline, quotes and $ in it", () => {
    const folder = join(sortie.temp(), `it's\n"$HOME"`);
    return expectUsed(folder, folder);
  });
  it("is a link", () => {
    const real = join(sortie.temp(), "real");
    mkdirSync(real);
    symlinkSync(real, sortie.home());
    return expectUsed(sortie.home(), sortie.home());
  });
  it("is used where HOME is not set", () => expectUsed(sortie.home(), sortie.home(), { HOME: undefined }));
});

describe("a database that cannot be used", () => {
  const commands = [["ls"], run, ["adopt"], ["watch"], ["gpus"]];

  it("is damaged: left as it is, and rebuilt from the job folders once it was moved aside", async () => {
    const options = { name: "twice" };
    await sortie.ask([
      "run",
      "--target",
      "local",
      "--yes",
      "--name",
      options.name,
      "--",
      "sh",
      "-c",
      "mkdir results; echo 1 >results/a",
    ]);
    await sortie.ask([
      "run",
      "--target",
      "local",
      "--yes",
      "--name",
      options.name,
      "--",
      "sh",
      "-c",
      "exit 3",
    ]);
    const { runs } = await sortie.ask(["ls"]);
    await waitUntilIdle();
    const bytes = Buffer.from("no database any more\n".repeat(500));
    writeFileSync(database(), bytes);
    for (const args of commands)
      expect((await expectRefused(args, "store_corrupt")).hint).toContain("sortie adopt");
    const { findings } = await sortie.ask(["doctor"]);
    const finding = findings.find(({ what }: { what: string }) => what === "database");
    expect(finding).toMatchObject({ level: "bad", advice: expect.stringContaining("sortie adopt") });
    expect(readFileSync(database())).toEqual(bytes);
    renameSync(database(), `${database()}.aside`);
    expect((await sortie.ask(["adopt"])).adopted).toHaveLength(2);
    const facts = ({ id, name, state, exitCode }: Record<string, unknown>) => ({ id, name, state, exitCode });
    const rebuilt = await sortie.ask(["ls"]);
    expect(rebuilt.runs.map(facts)).toEqual(runs.map(facts));
  });

  it("was written by a newer Sortie: refused, untouched", async () => {
    await sortie.ask(["ls"]);
    const newer = new Database(database());
    newer.exec("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)");
    newer.close();
    const bytes = readFileSync(database());
    for (const args of commands) await expectRefused(args, "store_newer");
    expect(await sortie.ask(["doctor"])).toMatchObject({ exitCode: 5 });
    expect(readFileSync(database())).toEqual(bytes);
  });

  it("is a folder", async () => {
    mkdirSync(database(), { recursive: true });
    await expectRefused(["ls"], "home_unwritable");
  });
});

it("asks a watcher that works with another schema to leave, and starts its own", async () => {
  const launched = await sortie.launch(["sh", "-c", "while [ ! -e go ]; do sleep 0.05; done"]);
  const card = join(sortie.home(), "watcher.json");
  const own = await waitFor(() => findWatcherPid(sortie.home()));
  process.kill(own, "SIGKILL");
  const other = spawn("sleep", ["300"], { stdio: "ignore" });
  const start = readFileSync(`/proc/${other.pid}/stat`, "utf8").split(") ")[1]?.split(" ")[19];
  const identity = { ...loadOwnIdentity(), pid: other.pid, start };
  writeFileSync(card, JSON.stringify({ identity, schema: 0, since: "" }));
  await sortie.ask(["ls"]);
  await waitFor(() => other.signalCode === "SIGTERM", { what: "the other watcher to leave" });
  writeFileSync(join(sortie.project(), "go"), "");
  await waitFor(() => existsSync(join(sortie.home(), "runs", launched.id)), {
    timeoutMs: 15_000,
    what: "results",
  });
});

/** Until not a byte is left. */
function fill(folder: string) {
  execFileSync("sh", ["-c", 'dd if=/dev/zero of="$1" bs=4k 2>/dev/null; :', "sh", join(folder, "fill")]);
}
