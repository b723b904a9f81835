import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ask, useHandlers } from "../../test/support/handlers.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";

const folder = useTempFolder();
const { inFolder, write, start } = useHandlers(folder);

afterEach(() => {
  vi.unstubAllEnvs();
});

const refuse = (starting: Promise<unknown>) =>
  starting.then(
    () => expect.fail("it started"),
    (error) => error,
  );

describe("a Python that cannot be started is explained by what stands in its way:", () => {
  const INSTALL = "Install Python 3.9 or newer, or name an interpreter with --python.";

  it("a program that is not there, or cannot be one", async () => {
    write("policy.py", "");
    write("python", "#!/bin/sh\n");
    const refused = (python: string) => refuse(start("policy:handle", { python }));
    const told = (reason: string, hint: string) => ({
      code: "handler_not_started",
      message: expect.stringMatching(`could not be started for the handler policy:handle: ${reason}\\.$`),
      hint,
    });
    expect(await refused("no-such-python")).toMatchObject(told("there is no such program", INSTALL));
    expect(await refused(inFolder("python/python"))).toMatchObject(told("there is no such program", INSTALL));
    expect(await refused(inFolder("python"))).toMatchObject(told("it may not be executed", INSTALL));
    expect(await refused("a\0b")).toMatchObject({
      code: "handler_not_started",
      hint: "Correct what the reason names, then start again.",
    });
  });

  it("a working folder that is gone", async () => {
    write("policy.py", "");
    mkdirSync(inFolder("gone"));
    rmSync(inFolder("gone"), { recursive: true });
    const cwd = inFolder("gone");
    expect(await refuse(start(`${inFolder("policy.py")}:handle`, { cwd }))).toMatchObject({
      code: "handler_not_started",
      message: expect.stringContaining(`there is no working folder ${cwd}.`),
      hint: "Go to a folder that is there, then start again.",
    });
  });
});

it("Python starts where the folder for temporary files is not there", async () => {
  write("policy.py", "def handle(s, f): return f\n");
  vi.stubEnv("TMPDIR", inFolder("gone"));
  expect(await ask(await start("policy:handle"))).toBe("?");
});

/** Leaves ever more descriptors free, and tells how the start of a handler goes then. */
const FEW_DESCRIPTORS = `
import { closeSync, openSync } from "node:fs";
import { startHandler } from ${JSON.stringify(new URL("../../dist/agent.js", import.meta.url).href)};
const tryOnce = async () => {
  const handler = await startHandler({ spec: process.argv[2], cwd: process.cwd(), env: process.env });
  await handler.handle(Buffer.from("s"), Buffer.from("?"));
  await handler.stop();
  return "started";
};
const told = [await tryOnce()];
for (let free = 0; free < 12; free += 1) {
  const taken = [];
  try {
    for (;;) taken.push(openSync("/dev/null"));
  } catch {}
  for (const fd of taken.splice(0, free)) closeSync(fd);
  told.push(await tryOnce().catch(({ code, hint }) => code + " " + hint));
  for (const fd of taken) closeSync(fd);
}
console.log(JSON.stringify(told));
`;

it.each(["policy.py:handle", "policy.mjs"])(
  "where descriptors are short, each start goes well or is explained, and none waits for ever: %s",
  async (spec) => {
    write("policy.py", "def handle(s, f): return f\n");
    write("policy.mjs", "export const handle = (s, f) => f;");
    write("agent.mjs", FEW_DESCRIPTORS);
    const script = 'ulimit -n 256; exec "$0" agent.mjs "$1" 2>log';
    const agent = spawn("sh", ["-c", script, process.execPath, spec], {
      cwd: folder(),
      stdio: ["ignore", "pipe", "ignore"],
    });
    let text = "";
    agent.stdout.on("data", (chunk) => {
      text += chunk;
    });
    expect(await new Promise((resolve) => agent.once("close", resolve))).toBe(0);
    const told: string[] = JSON.parse(text);
    expect(told.length).toBe(13);
    expect(told[0]).toBe("started");
    expect(told[1]).toMatch(/^handler_not_started .*`ulimit -a`/);
    expect(told.at(-1)).toBe("started");
    for (const word of told.slice(1))
      expect(word).toMatch(/^(started|handler_not_started|handler_import_failed)/);
  },
);
