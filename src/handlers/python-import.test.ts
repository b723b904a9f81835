import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ask, useHandlers } from "../../test/support/handlers.ts";
import { findOwnProcesses } from "../../test/support/own-processes.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { waitFor } from "../../test/support/wait-for.ts";

const folder = useTempFolder();
const { inFolder, write, start, startPython, readLog } = useHandlers(folder);

const HANDLE = "def handle(session_id, frame):\n    return b'ok'\n";

/** The refusal, after which nothing runs any more. */
async function refuse(starting: Promise<unknown>) {
  const error = await starting.then(
    () => expect.fail("it started"),
    (reason: { code: string; message: string; hint: string; details: Record<string, unknown> }) => reason,
  );
  expect(findOwnProcesses()).toEqual([]);
  return error;
}

describe("a handler is found", () => {
  it.each([
    ["policy:handle", "policy.py"],
    ["policy.py:handle", "policy.py"],
    ["some folder's/policy:handle", "some folder's/policy.py"],
    ["./pkg.deep.policy:handle", "pkg/deep/policy.py"],
    ['a "b"/my-policy v1.2.py:handle', 'a "b"/my-policy v1.2.py'],
    ["json:handle", "json.py"],
    ["types:handle", "types.py"],
    ["sortie_worker:handle", "sortie_worker.py"],
    ["os/path.py:handle", "os/path.py"],
  ])("%s", async (spec, file) => {
    write(file, HANDLE);
    expect(await ask(await start(spec))).toBe("ok");
  });

  it.each([
    [
      "an object's method",
      "policy.handle",
      "class P:\n    def handle(self, s, f): return b'ok'\npolicy = P()\n",
    ],
    [
      "an object that can be called",
      "policy",
      "class P:\n    def __call__(self, s, f): return b'ok'\npolicy = P()\n",
    ],
    ["a class method", "P.handle", "class P:\n    @classmethod\n    def handle(cls, s, f): return b'ok'\n"],
    ["a partial", "act", "import functools\ndef f(x, s, f): return x\nact = functools.partial(f, b'ok')\n"],
    ["with more than is needed", "act", "def act(s, f, *, speed=1, **more): return b'ok'\n"],
    ["with any arguments", "act", "def act(*a): return b'ok'\n"],
  ])("%s", async (_, name, text) => {
    write("policy.py", text);
    expect(await ask(await start(`policy:${name}`))).toBe("ok");
  });

  it("by its neighbours, its data and its guard, as Python alone would run it", async () => {
    write("neighbour.py", "WORD = 'near'\n");
    write("queue.py", "WORD = 'mine'\n");
    write("data.txt", "data");
    const handler = await startPython(
      "import neighbour, queue, sys, os\n" +
        "def handle(s, f):\n" +
        "    words = [neighbour.WORD, queue.WORD, open('data.txt').read(), __name__, str(sys.argv)]\n" +
        "    return ' '.join(words).encode()\n" +
        "if __name__ == '__main__':\n    raise SystemExit('the guard did not hold')\n",
    );
    expect(await ask(handler)).toBe("near mine data policy ['policy']");
    expect(handler.about).toMatchObject({ language: "python", offers: [] });
  });

  it("though files of the folder have the names of what the worker imports", async () => {
    for (const name of ["json", "socket", "types", "traceback", "inspect", "asyncio", "selectors", "enum"]) {
      write(`${name}.py`, "raise RuntimeError('this is not the one that was meant')\n");
    }
    expect(await ask(await startPython(`async ${HANDLE}`))).toBe("ok");
  });
});

describe("a handler is refused, and nothing is left", () => {
  it("where its folder or file is missing, with the nearest name", async () => {
    write("policies/policy.py", HANDLE);
    expect(await refuse(start("policys/policy:handle"))).toMatchObject({
      code: "handler_not_found",
      hint: expect.stringMatching(/^Did you mean policies\?/),
    });
    expect(await refuse(start("policies/polcy.py:handle"))).toMatchObject({
      code: "handler_not_found",
      message: expect.stringContaining(`there is no file ${inFolder("policies/polcy.py")}`),
      hint: expect.stringMatching(/^Did you mean policy\.py\?/),
    });
    expect((await refuse(start("nowhere/at/all:handle"))).hint).toMatch(/^Relative paths start/);
  });

  it("where its module is missing, with the nearest name", async () => {
    write("pkg/policy.py", HANDLE);
    write("pkg/__init__.py", "");
    expect(await refuse(start("pkgs.policy:handle"))).toMatchObject({
      code: "handler_not_found",
      message: "The handler pkgs.policy:handle was not found: No module named 'pkgs'.",
      hint: expect.stringMatching(/^Did you mean pkg\?/),
    });
    expect((await refuse(start("pkg.policies:handle"))).hint).toBe(
      `In ${inFolder("pkg")} there are: policy.`,
    );
    expect((await refuse(start("pkg.policy.deep:handle"))).message).toMatch(/'pkg.policy' is not a package/);
  });

  it("where its function is missing or cannot answer", async () => {
    write(
      "policy.py",
      `${HANDLE}class Policy:\n    def handle(self, s, f): pass\nspeed = 3\ndef one(f): pass\n`,
    );
    expect(await refuse(start("policy:hande"))).toMatchObject({
      code: "handler_no_function",
      message: "policy has no function hande.",
      hint: "Did you mean handle?",
    });
    expect((await refuse(start("policy:predict"))).hint).toBe("It has: Policy, handle, one.");
    expect((await refuse(start("policy:Policy.hndle"))).hint).toBe("Did you mean Policy.handle?");
    expect(await refuse(start("policy:Policy"))).toMatchObject({
      code: "handler_unfit",
      message: expect.stringContaining("it is a class; make an object of it"),
    });
    expect((await refuse(start("policy:Policy.handle"))).message).toContain("Policy.handle(self, s, f)");
    expect((await refuse(start("policy:speed"))).message).toContain("a value of type int");
    expect((await refuse(start("policy:one"))).message).toContain("it is one(f) and cannot take");
  });

  it("over a syntax error, with file and line, in a neighbour too", async () => {
    expect(await refuse(startPython("import os\ndef handle(s, f)\n    return f\n"))).toMatchObject({
      code: "handler_syntax",
      message: expect.stringMatching(
        /^The handler policy:handle could not be imported: SyntaxError: .*policy\.py, line 2\.$/,
      ),
      hint: "Correct this line: def handle(s, f)",
    });
    write("near.py", "if True:\nx = 1\n");
    expect((await refuse(startPython("import near\n"))).message).toContain(`${inFolder("near.py")}, line 2.`);
  });

  it("over a package that is missing, with the interpreter that misses it", async () => {
    expect(await refuse(startPython("import no_such_package.part\n"))).toMatchObject({
      code: "handler_import_failed",
      message: expect.stringContaining("No module named 'no_such_package'"),
      hint: "Install no_such_package where python3 finds it, or name the interpreter that has it with --python.",
      details: { trace: expect.stringContaining("import no_such_package.part") },
    });
    expect(readLog()).toMatch(/^Traceback .*\n {2}File ".*policy.py", line 1, in <module>/);
    expect(readLog()).not.toMatch(/sortie_|importlib/);
  });

  it("over a neighbour that lies in the working folder, which is not searched", async () => {
    write("sub/policy.py", "import near\n");
    write("near.py", "");
    expect((await refuse(start("sub/policy:handle"))).hint).toMatch(/^near lies in the working folder/);
  });

  it.each([
    ["an exception", "raise ValueError('no weights\\x1b[2J')\n", /ValueError: no weights\\x1b\[2J/],
    ["an exit", "import sys\nsys.exit(3)\n", /its own code called exit\(3\)/],
    ["an exit with words", "raise SystemExit('no GPU')\n", /its own code called exit\('no GPU'\)/],
    ["an interrupt", "raise KeyboardInterrupt\n", /KeyboardInterrupt/],
    ["an endless recursion", "def f(): f()\nf()\n", /RecursionError/],
    ["a relative import of a file", "from . import near\n", /attempted relative import/],
    [
      "a message that fails",
      "class E(Exception):\n    def __str__(self): 1/0\nraise E()\n",
      /E: \(its message/,
    ],
    ["a name whose look-up fails", "def __getattr__(name): raise ValueError(name)\n", /ValueError: handle/],
  ])("over %s while it is imported", async (_, text, reason) => {
    const error = await refuse(startPython(text));
    expect(error.code).toBe("handler_import_failed");
    expect(error.message).toMatch(reason);
  });

  it.each([
    ["an exit without a word", "import os\nos._exit(4)\n", "it exited with code 4"],
    ["a crash", "import ctypes\nctypes.string_at(0)\n", "signal SIGSEGV ended it (a crash in native code)"],
    ["a kill", "import os\nos.kill(os.getpid(), 9)\n", expect.stringContaining("signal SIGKILL ended it")],
  ])("over %s while it is imported", async (_, text, end) => {
    expect(await refuse(startPython(text))).toMatchObject({
      code: "handler_died",
      details: { when: "while it was imported", end },
    });
  });

  it("where it takes too long, and where it was called off", async () => {
    const text = "import time\ntime.sleep(600)\n";
    expect(await refuse(startPython(text, { loadTimeoutMs: 300 }))).toMatchObject({ code: "handler_slow" });
    const abort = new AbortController();
    const starting = refuse(startPython(`print('up')\n${text}`, { signal: abort.signal }));
    await waitFor(() => readLog().includes("up"));
    abort.abort();
    expect(await starting).toMatchObject({ code: "handler_stopped" });
  });

  it("though threads of its own live on", async () => {
    const text = "import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()\n1/0\n";
    expect(await refuse(startPython(text))).toMatchObject({ code: "handler_import_failed" });
  });

  it("where its interpreter is missing, is none, or is too old", async () => {
    write("policy.py", HANDLE);
    expect(await refuse(start("policy:handle", { python: "no-such-python" }))).toMatchObject({
      code: "handler_not_started",
      message: "no-such-python could not be started for the handler policy:handle: there is no such program.",
    });
    expect(await refuse(start("policy:handle", { python: "true" }))).toMatchObject({ code: "handler_died" });
    write("old", "#!/usr/bin/env python3\nimport sys\nsys.version_info = (3, 8, 0)\nexec(sys.argv[3])\n");
    chmodSync(inFolder("old"), 0o755);
    expect(await refuse(start("policy:handle", { python: inFolder("old") }))).toMatchObject({
      code: "handler_not_started",
      message: expect.stringMatching(/it is Python 3\..*, and a handler needs 3\.9 or newer\.$/),
    });
  });
});
