import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findOwnProcesses } from "../../test/support/own-processes.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { type ProcessGroup, startGroup } from "./process-group.ts";

const folder = useTempFolder();
let outputFd = 0;
beforeEach(() => {
  outputFd = openSync(join(folder(), "log"), "a");
});
afterEach(() => closeSync(outputFd));

const startScript = async (text: string) => {
  const options = { cwd: folder(), env: process.env, outputFd, channels: ["socket"] } as const;
  return (await startGroup(["sh", "-c", text], options)) as ProcessGroup;
};
const waitForLine = (line: string) =>
  waitFor(() => readFileSync(join(folder(), "log"), "utf8").includes(`${line}\n`), { what: line });

describe("a program that cannot be started says why", () => {
  it.each([
    ["no such program", ["no-such-program-here"], /ENOENT/],
    ["arguments that are too long", ["true", "x".repeat(3_000_000)], /E2BIG/],
    ["a word that no program can be given", ["true", "a\0b"], /null bytes/],
  ])("%s", async (_, argv, reason) => {
    const options = { cwd: folder(), env: process.env, outputFd, channels: [] };
    expect(await startGroup(argv, options)).toEqual({ notStarted: expect.stringMatching(reason) });
  });

  it("a file where its folder should be", async () => {
    writeFileSync(join(folder(), "file"), "");
    const options = { cwd: join(folder(), "file"), env: process.env, outputFd, channels: [] };
    expect(await startGroup(["true"], options)).toHaveProperty("notStarted");
  });
});

it("speaks over its channels, and what it prints goes where it should", async () => {
  const group = await startScript('read -r line <&3; echo "$line"; echo gone >&2; read -r end; exit 7');
  group.channels[0]?.write("hello\n");
  expect(await group.ended).toEqual({ exitCode: 7, signal: null });
  await group.stop(0);
  expect(readFileSync(join(folder(), "log"), "utf8")).toBe("hello\ngone\n");
});

it("takes with it what is left of its group when it ends", async () => {
  const group = await startScript("(trap '' TERM; echo up; exec sleep 600) & sleep 0.2; kill -KILL $$");
  expect(await group.ended).toEqual({ exitCode: null, signal: "SIGKILL" });
  await group.stop(0);
  await waitFor(() => findOwnProcesses().length === 0);
});

describe("a stop", () => {
  it("lets the program end by itself within its patience", async () => {
    const group = await startScript("read -r word <&3; sleep 0.1; exit 5");
    group.channels[0]?.write("end\n");
    await group.stop(10_000);
    expect(await group.ended).toMatchObject({ exitCode: 5 });
    expect(findOwnProcesses()).toEqual([]);
  });

  it("comes with TERM first", async () => {
    const group = await startScript("trap 'echo asked; exit 6' TERM; echo up; while :; do sleep 0.05; done");
    await waitForLine("up");
    await Promise.all([group.stop(0), group.stop(0)]);
    expect(await group.ended).toMatchObject({ exitCode: 6 });
    await waitForLine("asked");
    expect(findOwnProcesses()).toEqual([]);
  });

  it("comes with KILL for a program that does not hear, and its children", async () => {
    const group = await startScript("trap '' TERM; sleep 600 & echo up; while :; do sleep 0.05; done");
    await waitForLine("up");
    await group.stop(0);
    expect(await group.ended).toMatchObject({ signal: "SIGKILL" });
    expect(findOwnProcesses()).toEqual([]);
  });
});
