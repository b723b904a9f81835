import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ask, useHandlers } from "../../test/support/handlers.ts";
import { findOwnProcesses } from "../../test/support/own-processes.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { waitFor } from "../../test/support/wait-for.ts";

const folder = useTempFolder();
const { inFolder, write, startPython, readLog } = useHandlers(folder);

const CHILD = "import subprocess\nsubprocess.Popen(['sleep', '600'])\n";
const waitForLine = (line: string) => waitFor(() => readLog().includes(`${line}\n`), { what: line });
const waitForNobody = () =>
  waitFor(() => findOwnProcesses().length === 0, { what: "the end of all processes" });

describe("the end of a handler by itself rejects what is open, is told once, and leaves nothing", () => {
  it.each([
    ["an exit", "sys.exit(3)", "its own code called exit(3)"],
    ["an exit with words", "sys.exit('no GPU')", "its own code called exit('no GPU')"],
    [
      "an exit while threads live",
      "threading.Thread(target=time.sleep, args=(600,)).start(); exit()",
      /exit\(None\)/,
    ],
    ["an exit without a word", "os._exit(4)", "it exited with code 4"],
    ["an interrupt", "raise KeyboardInterrupt", "it was interrupted"],
    ["a signal", "os.kill(os.getpid(), signal.SIGTERM)", /SIGTERM ended it \(somebody asked it to end\)/],
    ["a crash", "ctypes.string_at(0)", "signal SIGSEGV ended it (a crash in native code)"],
    ["a kill", "os.kill(os.getpid(), 9)", /SIGKILL ended it/],
    ["nonsense among the frames", "os.write(101, b'printed by mistake')", /it wrote bytes that are no frame/],
  ])("%s", async (_, line, end) => {
    const imports = "import ctypes, os, signal, sys, threading, time\n";
    for (const call of ["load", "handle"] as const) {
      const handler = await startPython(
        `${imports}${call === "handle" ? CHILD : ""}def handle(s, f):\n    ${line}\ndef load():\n    ${line}\n`,
      );
      const expected = {
        code: "handler_died",
        details: { when: `in ${call}`, end: typeof end === "string" ? end : expect.stringMatching(end) },
      };
      await expect(call === "load" ? handler.load() : ask(handler)).rejects.toMatchObject(expected);
      expect(await handler.died).toMatchObject(expected);
      await expect(ask(handler)).rejects.toMatchObject(expected);
      await handler.stop();
      await waitForNobody();
    }
  });

  it("a crash says in the log where", async () => {
    const handler = await startPython("import ctypes\ndef handle(s, f):\n    ctypes.string_at(0)\n");
    await expect(ask(handler)).rejects.toMatchObject({ code: "handler_died" });
    expect(readLog()).toMatch(/Fatal Python error: Segmentation fault[\s\S]*policy.py", line 3 in handle/);
  });

  it("while it is idle", async () => {
    const handler = await startPython(
      "import os, threading\ndef handle(s, f):\n    threading.Timer(0.1, os._exit, (9,)).start()\n    return f\n",
    );
    expect(await ask(handler)).toBe("?");
    expect(await handler.died).toMatchObject({
      message: "The handler ended while it was idle: it exited with code 9.",
    });
  });
});

describe("a stop leaves nothing", () => {
  const WAYS = {
    idle: "",
    busy: "    print('busy', flush=True)\n    time.sleep(600)\n",
    "busy and deaf":
      "    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n    print('busy')\n    time.sleep(600)\n",
    "busy without the interpreter": "    print('busy')\n    ctypes.PyDLL(None).sleep(600)\n",
  };
  it.each(Object.entries(WAYS))("of a handler that is %s", async (way, lines) => {
    const handler = await startPython(
      `import ctypes, signal, time, atexit\natexit.register(print, 'farewell')\n${CHILD}def load(): pass\ndef handle(s, f):\n${lines}    return f\n`,
    );
    await handler.load();
    const asked = way === "idle" ? ask(handler) : ask(handler).catch((error: unknown) => error);
    if (way === "idle") await asked;
    else await waitForLine("busy");
    await Promise.all([handler.stop(), handler.stop()]);
    expect(findOwnProcesses()).toEqual([]);
    if (way === "idle") expect(readLog()).toContain("farewell");
    else expect(await asked).toMatchObject({ code: "handler_stopped" });
    await expect(ask(handler)).rejects.toMatchObject({ code: "handler_stopped" });
    expect(await Promise.race([handler.died, Promise.resolve("not told")])).toBe("not told");
  });
});

describe("a handler ends with its agent, by kill -9 too", () => {
  it.each([
    ["idle", "import time\n", "    return f\n"],
    ["busy", "import time\n", "    time.sleep(600)\n"],
    ["without the interpreter", "import ctypes\n", "    ctypes.PyDLL(None).sleep(600)\n"],
  ])("%s", async (_, before, line) => {
    write("policy.py", `${before}${CHILD}def handle(s, f):\n    print('asked')\n${line}`);
    writeFileSync(
      inFolder("agent.mjs"),
      `import { startHandler } from ${JSON.stringify(new URL("../../dist/agent.js", import.meta.url).href)};
       const handler = await startHandler({ spec: "policy:handle", cwd: ${JSON.stringify(folder())}, env: process.env });
       setInterval(() => undefined, 1000);
       await handler.handle(Buffer.from("s"), Buffer.from("?"));`,
    );
    const agent = spawn(process.execPath, [inFolder("agent.mjs")], { stdio: ["ignore", "ignore", "pipe"] });
    let log = "";
    agent.stderr.on("data", (chunk) => {
      log += chunk;
    });
    await waitFor(() => log.includes("asked\n"));
    expect(findOwnProcesses().length).toBeGreaterThan(3);
    agent.kill("SIGKILL");
    await waitForNobody();
  });
});
