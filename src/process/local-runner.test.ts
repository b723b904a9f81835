import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findOwnProcesses } from "../../test/support/own-processes.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { makeLocalRunner } from "./local-runner.ts";

const folder = useTempFolder();
const runner = makeLocalRunner();
const inFolder = (name: string) => join(folder(), name);
const waitForText = (name: string) =>
  waitFor(() => findOwnProcesses().length > 0 && readFileSync(inFolder(name), "utf8"), { what: name });

describe("a command that cannot be started is an outcome", () => {
  it.each([
    ["no such program", ["no-such-program-here"], {}, /ENOENT/],
    ["arguments that are too long", ["true", "x".repeat(3_000_000)], {}, /E2BIG/],
    ["a word that no program can be given", ["true", "a\0b"], {}, /null bytes/],
  ])("%s", async (_, argv, options, reason) => {
    const outcome = await runner.run(argv, { timeoutMs: 5000, ...options });
    expect(outcome).toMatchObject({ notStarted: true, exitCode: null, signal: null, timedOut: false });
    expect(outcome.stderr).toMatch(reason);
  });

  it("a file where a folder should be", async () => {
    writeFileSync(inFolder("file"), "");
    const outcome = await runner.run(["true"], { cwd: inFolder("file"), timeoutMs: 5000 });
    expect(outcome).toMatchObject({ notStarted: true, stderr: expect.stringContaining("ENOTDIR") });
  });

  it("a wish that was called off before", async () => {
    const outcome = await runner.run(["touch", inFolder("made")], {
      timeoutMs: 5000,
      signal: AbortSignal.abort(),
    });
    expect(outcome).toMatchObject({ notStarted: true, exitCode: null });
    expect(() => readFileSync(inFolder("made"))).toThrow();
  });
});

describe("a stop", () => {
  // The first process ends at TERM; the second of its group ignores it.
  const STUBBORN = "(trap '' TERM; echo up >ready; while :; do sleep 0.05; done) & wait";

  it("at the time limit also ends members of the group that ignore TERM", async () => {
    const outcome = await runner.run(["sh", "-c", STUBBORN], { cwd: folder(), timeoutMs: 300 });
    expect(outcome).toMatchObject({ timedOut: true, signal: "SIGTERM", notStarted: false });
    await waitFor(() => findOwnProcesses().length === 0, { timeoutMs: 2000, what: "the end of the group" });
  });

  it("by a signal does too", async () => {
    writeFileSync(inFolder("ready"), "");
    const abort = new AbortController();
    const running = runner.run(["sh", "-c", STUBBORN], {
      cwd: folder(),
      timeoutMs: 20_000,
      signal: abort.signal,
    });
    await waitForText("ready");
    abort.abort();
    expect(await running).toMatchObject({ timedOut: false, signal: "SIGTERM" });
    await waitFor(() => findOwnProcesses().length === 0, { timeoutMs: 2000, what: "the end of the group" });
  });

  it("is the end also where what has left the group holds the pipes", async () => {
    const outcome = await runner.run(["sh", "-c", "setsid sleep 300 & exit 7"], { timeoutMs: 300 });
    expect(outcome).toMatchObject({ timedOut: true, exitCode: 7 });
    for (const { pid } of findOwnProcesses()) process.kill(pid, "SIGKILL");
    await waitFor(() => findOwnProcesses().length === 0, { timeoutMs: 2000, what: "the end of the rest" });
  });

  it("comes not at once where the time limit is longer than one timer can hold", async () => {
    const outcome = await runner.run(["sh", "-c", "sleep 0.2; echo done"], { timeoutMs: 30 * 86_400_000 });
    expect(outcome).toMatchObject({ timedOut: false, exitCode: 0, stdout: "done\n" });
  });
});
