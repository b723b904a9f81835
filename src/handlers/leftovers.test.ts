import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { ask, useHandlers } from "../../test/support/handlers.ts";
import { findOwnProcesses } from "../../test/support/own-processes.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { waitFor } from "../../test/support/wait-for.ts";

const { startJs, startPython, readLog } = useHandlers(useTempFolder());

const waitForSleep = () =>
  waitFor(() => findOwnProcesses().some(({ command }) => command === "sleep 600"), { what: "its process" });

const IMPORTS =
  'import { spawn } from "node:child_process";\nimport { Worker } from "node:worker_threads";\n';
const startJsWith = (line: string, after = "") =>
  startJs(`${IMPORTS}export const handle = async (s, f) => { ${line} ${after} return f; };`);

const KINDS = {
  "a child": 'spawn("sleep", ["600"]);',
  "a child that leaves the group": 'spawn("sleep", ["600"], { detached: true }).unref();',
  "a child of a child": 'spawn("sh", ["-c", "sleep 600; true"]);',
  "a child of a child with an environment of its own":
    'const { PATH, SORTIE_TEST_FILE } = process.env; spawn("sh", ["-c", "sleep 600; true"], { env: { PATH, SORTIE_TEST_FILE } });',
  "a process without its parent": 'spawn("sh", ["-c", "setsid sleep 600 & exit 0"]);',
  "a process that is deaf to TERM": `spawn("sh", ["-c", "trap '' TERM; sleep 600; true"]);`,
  "a child of another thread":
    'new Worker(\'require("node:child_process").spawn("sleep", ["600"]); setInterval(() => 0, 1000)\', { eval: true });',
};

describe.runIf(process.platform === "linux")("what a handler in JavaScript started ends", () => {
  it.each(Object.entries(KINDS))("at a stop: %s", async (_, line) => {
    const handler = await startJsWith(line);
    await ask(handler);
    await waitForSleep();
    await Promise.all([handler.stop(), handler.stop()]);
    expect(findOwnProcesses()).toEqual([]);
  });

  it("at a stop of a busy handler, while it starts more and more", async () => {
    const handler = await startJsWith('for (;;) spawn("sleep", ["600"], { stdio: "ignore" });');
    const asked = ask(handler).catch((error: unknown) => error);
    await waitForSleep();
    await handler.stop();
    expect(findOwnProcesses()).toEqual([]);
    expect(await asked).toMatchObject({ code: "handler_stopped" });
  });

  it("at its own end, before that is told", async () => {
    const line =
      'spawn("sh", ["-c", "setsid sleep 600 & echo up; wait"], { stdio: ["ignore", "pipe", "ignore"] })';
    const handler = await startJsWith(
      `${line}.stdout.on("data", () => process.exit(3));`,
      "await new Promise(() => 0);",
    );
    await expect(ask(handler)).rejects.toMatchObject({ code: "handler_died" });
    await handler.died;
    expect(findOwnProcesses()).toEqual([]);
  });

  it("where it could not be imported", async () => {
    const line =
      'const child = spawn("setsid", ["sh", "-c", "echo up; sleep 600; true"], { stdio: ["ignore", "pipe", "ignore"] });\n' +
      'await new Promise((resolve) => child.stdout.once("data", resolve));';
    await expect(startJs(`${IMPORTS}${line}\nthrow new Error("no weights");`)).rejects.toMatchObject({
      code: "handler_import_failed",
    });
    expect(findOwnProcesses()).toEqual([]);
  });

  it("and nothing else: not what the agent started", async () => {
    const own = spawn("sleep", ["601"], { stdio: "ignore" });
    const ended = new Promise((resolve) => own.once("exit", resolve));
    const handler = await startJsWith('spawn("sleep", ["600"]);');
    await ask(handler);
    await waitForSleep();
    await handler.stop();
    expect(findOwnProcesses()).toMatchObject([{ pid: own.pid, command: "sleep 601" }]);
    own.kill();
    await ended;
  });
});

describe.runIf(process.platform === "linux")(
  "what a handler in Python started and left its group ends",
  () => {
    const LEAVE =
      "import os, subprocess\ncommand = ['sh', '-c', 'echo up; sleep 600; true']\n" +
      "subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True).stdout.readline()\n";

    it("at a stop", async () => {
      const handler = await startPython(`${LEAVE}def handle(s, f): return f\n`);
      await waitForSleep();
      await handler.stop();
      expect(findOwnProcesses()).toEqual([]);
    });

    it("at its own end, before that is told", async () => {
      const handler = await startPython(`${LEAVE}def handle(s, f): os._exit(3)\n`);
      await waitForSleep();
      await expect(ask(handler)).rejects.toMatchObject({ code: "handler_died" });
      await handler.died;
      expect(findOwnProcesses()).toEqual([]);
    });

    it("where it could not be imported", async () => {
      await expect(startPython(`${LEAVE}1/0\n`)).rejects.toMatchObject({ code: "handler_import_failed" });
      expect(readLog()).toContain("ZeroDivisionError");
      expect(findOwnProcesses()).toEqual([]);
    });
  },
);

describe.runIf(process.platform === "linux")(
  "a handler in JavaScript that waits for a child without turning",
  () => {
    it.each([
      ["one", 'execSync("sleep 600");'],
      ["one after the other", 'for (;;) try { execSync("sleep 600"); } catch {}'],
      ["a child that is deaf to TERM", `execSync("trap '' TERM; sleep 600; true");`],
    ])("is stopped at once: %s", async (_, line) => {
      const text = `import { execSync } from "node:child_process";\nexport const load = () => {};\n`;
      const handler = await startJs(`${text}export const handle = (s, f) => { ${line} return f; };`);
      const asked = ask(handler).catch((error: unknown) => error);
      await waitForSleep();
      const sinceMs = performance.now();
      await handler.stop();
      expect(performance.now() - sinceMs).toBeLessThan(1_500);
      expect(findOwnProcesses()).toEqual([]);
      expect(await asked).toMatchObject({ code: "handler_stopped" });
    });

    it("is stopped at once while it is imported", async () => {
      const text = 'import { execSync } from "node:child_process";\nexecSync("sleep 600");';
      const ending = new AbortController();
      const starting = startJs(text, "policy.mjs", { signal: ending.signal }).catch(
        (error: unknown) => error,
      );
      await waitForSleep();
      const sinceMs = performance.now();
      ending.abort();
      expect(await starting).toMatchObject({ code: "handler_stopped" });
      expect(performance.now() - sinceMs).toBeLessThan(1_500);
      expect(findOwnProcesses()).toEqual([]);
    });
  },
);
