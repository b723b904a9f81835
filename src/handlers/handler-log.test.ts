import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { ask, useHandlers } from "../../test/support/handlers.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { waitFor } from "../../test/support/wait-for.ts";

const folder = useTempFolder();
const { inFolder, startPython, readLog } = useHandlers(folder);
const door = new URL("../../dist/agent.js", import.meta.url).href;

/** A process that asks its handler once, and meanwhile tells of its own turns on stdout and in the log, which is a pipe. */
const AGENT = `
import { startHandler } from ${JSON.stringify(door)};
process.stderr.write("started\\n");
const handler = await startHandler({ spec: process.argv[2], cwd: process.cwd(), env: process.env });
const timer = setInterval(() => {
  process.stderr.write("still here\\n");
  process.stdout.write("turn\\n");
}, 20);
await handler.handle(Buffer.from("s"), Buffer.from("?"));
clearInterval(timer);
await handler.stop();
process.stdout.write("answered\\n");
`;

it.each([
  ["policy:handle", "policy.py", "def handle(s, f):\n    print('x' * 1_000_000)\n    return f\n"],
  [
    "policy.mjs",
    "policy.mjs",
    "export const handle = (s, f) => { console.log('x'.repeat(1e6)); return f; };",
  ],
])("a log that nobody reads holds up the handler, not the agent: %s", async (spec, file, text) => {
  writeFileSync(join(folder(), file), text);
  writeFileSync(join(folder(), "agent.mjs"), AGENT);
  // A child of Node gets sockets; a shell's `|` gives it a pipe, as people do.
  const command = `{ "$0" agent.mjs ${spec} 2>&1 >&3 3>&- 4>&- | { read -r go <&4; cat >log; }; } 3>&1`;
  const agent = spawn("sh", ["-c", command, process.execPath], {
    cwd: folder(),
    stdio: ["ignore", "pipe", "ignore", "ignore", "pipe"],
  });
  let said = "";
  agent.stdout?.on("data", (chunk) => {
    said += chunk;
  });
  const ended = new Promise((resolve) => agent.once("exit", resolve));
  await waitFor(() => said.split("turn").length > 10);
  expect(said).not.toContain("answered");
  (agent.stdio[4] as Writable).end("go\n");
  await waitFor(() => said.includes("answered"));
  await ended;
  const log = readFileSync(join(folder(), "log"), "utf8");
  expect(log.replaceAll("still here\n", "").length).toBe("started\n".length + 1_000_001);
});

describe("a log that is lost costs lines, and no observation", () => {
  const PRINTING =
    "import logging, sys\n" +
    "def handle(s, f):\n" +
    "    print('line ' * 3000, flush=True)\n    print('to stderr', file=sys.stderr)\n    logging.warning('said')\n" +
    "    sys.stdout.flush()\n    return f if sys.stdout.fileno() == 1 and sys.stderr.fileno() == 2 else b'other'\n";

  it("where its disk is full", async () => {
    const outputFd = openSync("/dev/full", "w");
    const handler = await startPython(PRINTING, { outputFd });
    expect([await ask(handler), await ask(handler)]).toEqual(["?", "?"]);
    closeSync(outputFd);
  });

  it.each(["before", "after"])("where its reader went away %s the start", async (when) => {
    execFileSync("mkfifo", [inFolder("pipe")]);
    const reader = openSync(inFolder("pipe"), constants.O_RDONLY | constants.O_NONBLOCK);
    const outputFd = openSync(inFolder("pipe"), "w");
    if (when === "before") closeSync(reader);
    const handler = await startPython(PRINTING, { outputFd });
    if (when === "after") closeSync(reader);
    expect([await ask(handler), await ask(handler)]).toEqual(["?", "?"]);
    closeSync(outputFd);
  });

  it("and what no encoding can carry is shown escaped", async () => {
    const handler = await startPython("def handle(s, f):\n    print('a\\udc80')\n    return f\n");
    expect(await ask(handler)).toBe("?");
    expect(readLog()).toBe("a\\udc80\n");
  });
});
