import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ask, sid, useHandlers } from "../../test/support/handlers.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";

const folder = useTempFolder();
const { write, start, startPython, readLog } = useHandlers(folder);

const ECHO = "def handle(session_id, frame):\n    return frame\n";
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("calls", () => {
  const NOTES =
    "notes = []\n" +
    "def handle(session_id, frame):\n" +
    "    notes.append(f'handle {session_id!r} {frame!r}')\n" +
    "    return ' | '.join(notes).encode('utf-8', 'surrogateescape')\n";
  const HOOKS =
    "def load(): notes.append('load')\n" +
    "def open(session_id): notes.append(f'open {session_id}')\n" +
    "def close(session_id): notes.append(f'close {session_id}')\n";

  it("reach load, open, handle and close", async () => {
    const handler = await startPython(NOTES + HOOKS);
    expect(handler.about.offers).toEqual(["load", "open", "close"]);
    await handler.load();
    await handler.open(sid);
    await handler.close(sid);
    expect(await ask(handler)).toBe("load | open 3f2b8c1e | close 3f2b8c1e | handle '3f2b8c1e' b'?'");
  });

  it("warm a handler without load up by the empty frame, whose answer counts for nothing", async () => {
    const handler = await startPython(
      `${NOTES}def other(session_id, frame): return handle(session_id, frame)\n`,
    );
    await handler.load();
    await handler.open(sid);
    expect(await ask(handler)).toBe("handle '' b'' | handle '3f2b8c1e' b'?'");
    const careless = await startPython("def handle(session_id, frame):\n    return frame or None\n");
    await careless.load();
    expect(await ask(careless)).toBe("?");
  });

  it("reach hooks of the object whose method answers", async () => {
    write(
      "policy.py",
      "class P:\n    def __init__(self): self.notes = []\n    def load(self): self.notes.append('load')\n" +
        "    async def open(self, s): self.notes.append(s)\n" +
        "    def handle(self, s, f): return ' '.join(self.notes).encode()\n" +
        "policy = P()\ndef load(): raise ValueError('not this one')\n",
    );
    const handler = await start("policy:policy.handle");
    await handler.load();
    await handler.open(sid);
    expect(await ask(handler)).toBe("load 3f2b8c1e");
  });

  it.each([
    [
      "methods of an object",
      "from mylib import P\npolicy = P()\nload, open, close = policy.load, policy.open, policy.close\n",
    ],
    ["functions of another module", "from mylib import load, open, close\n"],
    [
      "functions with arguments bound to them",
      "import mylib\nfrom functools import partial\nload = partial(mylib.note, 'load')\n" +
        "open = partial(mylib.note, 'open')\nclose = partial(mylib.note, 'close')\n",
    ],
    ["functions of a module with a name of Python's own", "from queue import load, open, close\n"],
  ])("reach hooks that come from elsewhere: %s", async (_, text) => {
    const lines: string[] = [];
    const library =
      "notes = []\ndef note(*words): notes.append(' '.join(words))\n" +
      "def load(): note('load')\ndef open(s): note('open', s)\ndef close(s): note('close', s)\n" +
      "class P:\n    def load(self): load()\n    def open(self, s): open(s)\n    def close(self, s): close(s)\n";
    const name = text.includes("queue") ? "queue" : "mylib";
    write(`${name}.py`, library);
    const handle = `import ${name} as lib\ndef handle(s, f): return ' | '.join(lib.notes).encode()\n`;
    const handler = await startPython(text + handle, { onLog: (line) => lines.push(line) });
    expect([handler.about.offers, lines]).toEqual([["load", "open", "close"], []]);
    await handler.load();
    await handler.open(sid);
    await handler.close(sid);
    expect(await ask(handler)).toBe("load | open 3f2b8c1e | close 3f2b8c1e");
  });

  it("do not reach what only has the name of a hook, which is said", async () => {
    const lines: string[] = [];
    const text = `from json import load\nfrom codecs import open\ndef close(a, b): pass\n${ECHO}`;
    const handler = await startPython(text, { onLog: (line) => lines.push(line) });
    expect(handler.about.offers).toEqual([]);
    await handler.load();
    expect(lines).toEqual([
      "load comes from json: it is not called for the handler",
      "open comes from codecs: it is not called for the handler",
      "close(a, b) cannot be called with the session id alone: it is not called for the handler",
    ]);
  });

  it("do not reach what stands in the module beside an object, which is said", async () => {
    const lines: string[] = [];
    const text =
      "from json import load\nclass P:\n    def handle(self, s, f): return f or b'warm'\npolicy = P()\ndef open(s): pass\n";
    write("policy.py", text);
    const handler = await start("policy:policy.handle", { onLog: (line) => lines.push(line) });
    expect(handler.about.offers).toEqual([]);
    expect(lines).toEqual([
      "open belongs to the module and not to the object of the function: it is not called for the handler",
    ]);
  });

  it("take async functions too, on one loop", async () => {
    const handler = await startPython(
      "import asyncio\nlock = None\n" +
        "async def load():\n    global lock\n    lock = asyncio.Lock()\n    await asyncio.sleep(0)\n" +
        "async def handle(s, f):\n    async with lock:\n        await asyncio.sleep(0.001)\n        return f + f\n",
    );
    await handler.load();
    expect(await ask(handler)).toBe("??");
    expect(await ask(handler)).toBe("??");
  });

  it("carry a session id that is no UTF-8", async () => {
    const handler = await startPython("def handle(s, f): return ascii(s).encode()\n");
    const answer = await handler.handle(Uint8Array.of(0x61, 0xff), Uint8Array.of(1));
    expect(new TextDecoder().decode(answer)).toBe("'a\\udcff'");
  });

  it.each([0, 1, 85_408, 65_529, 65_530, 2 * 1024 ** 2, 8 * 1024 ** 2, 63 * 1024 ** 2])(
    "carry %d bytes there and back, and leave the caller's as they are",
    async (size) => {
      const handler = await startPython(ECHO);
      const whole = Buffer.alloc(size + 16, "0123456789abcdef0");
      const payload = whole.subarray(8, 8 + size);
      const before = hash(whole);
      const answers = [await handler.handle(sid, payload), await handler.handle(sid, payload)];
      expect(answers.map(hash)).toEqual([hash(payload), hash(payload)]);
      expect(hash(whole)).toBe(before);
    },
  );

  it.each([
    ["bytes", "b'ok'"],
    ["a bytearray", "bytearray(b'ok')"],
    ["a memoryview", "memoryview(b'ok')"],
    ["a part of a memoryview", "memoryview(b'xokx')[1:3]"],
    ["a memoryview with gaps", "memoryview(b'oxk')[::2]"],
    ["a memoryview of numbers", "memoryview(b'ok').cast('H')"],
  ])("are answered with %s", async (_, value) => {
    expect(await ask(await startPython(`def handle(s, f): return ${value}\n`))).toBe("ok");
  });
});

describe("a fault of one call", () => {
  it.each([
    ["None", "return None", "TypeError: it returned NoneType, not bytes"],
    ["a text", "return 'ok'", "TypeError: it returned str, not bytes"],
    ["a dict", "return {}", "TypeError: it returned dict, not bytes; pack it, as with msgpack.packb"],
    ["a generator", "yield b'ok'", "TypeError: it returned generator, not bytes"],
    ["an exception", "raise KeyError('left_arm')", "KeyError: 'left_arm'"],
    ["an exception of many lines", "raise ValueError('a\\nb')", "ValueError: a"],
    ["an endless recursion", "return handle(s, f)", /^RecursionError: maximum recursion depth exceeded/],
    [
      "an answer beyond the limit",
      "return bytes(66 * 1024 * 1024)",
      /^ValueError: an answer of 69,206,016 bytes/,
    ],
    ["a cancelled task", "import asyncio; raise asyncio.CancelledError()", "CancelledError"],
    ["its end of generators", "raise GeneratorExit('no')", "GeneratorExit: no"],
    ["no memory", "return bytes(1 << 60)", "MemoryError"],
  ])("is told and survived: %s", async (_, line, reason) => {
    const handler = await startPython(`def handle(s, f):\n    if f == b'go on': return f\n    ${line}\n`);
    await expect(ask(handler)).rejects.toMatchObject({
      code: "handler_fault",
      details: { call: "handle", reason: expect.stringMatching(reason) },
    });
    if (line.startsWith("yield")) return;
    expect(await ask(handler, "go on")).toBe("go on");
  });

  it("is in the log with the user's own lines only", async () => {
    const handler = await startPython(
      "def handle(s, f):\n    return step(f)\ndef step(f):\n    return f[99]\n",
    );
    await expect(ask(handler)).rejects.toMatchObject({
      message: "The handler failed in handle: IndexError: index out of range.",
      details: { trace: expect.stringContaining("return f[99]") },
    });
    expect(readLog()).toMatch(
      /^Traceback .*\n {2}File ".*policy.py", line 2, in handle\n(.*\n)*IndexError: /,
    );
    expect(readLog()).not.toMatch(/sortie_/);
  });

  it.each(["load", "open", "close"] as const)("is told of %s too", async (hook) => {
    const handler = await startPython(`${ECHO}def ${hook}(*a): raise OSError('no weights')\n`);
    const call = hook === "load" ? handler.load() : handler[hook](sid);
    const message = `The handler failed in ${hook}: OSError: no weights.`;
    await expect(call).rejects.toMatchObject({ code: "handler_fault", message });
    expect(await ask(handler)).toBe("?");
  });

  it("is a warm-up by the empty frame that fails", async () => {
    const handler = await startPython("def handle(s, f): return f[0:1] if f else f[0]\n");
    await expect(handler.load()).rejects.toMatchObject({ details: { call: "load" } });
  });

  it("is a load that takes too long", async () => {
    const text = `import time\ndef load(): time.sleep(600)\n${ECHO}`;
    const handler = await startPython(text, { loadTimeoutMs: 2_000 });
    await expect(handler.load()).rejects.toMatchObject({ code: "handler_slow" });
  });
});

describe("what the handler prints", () => {
  it("goes to the log, by whatever door, and never among the frames", async () => {
    const handler = await startPython(
      "import os, subprocess, sys\n" +
        "def handle(s, f):\n" +
        "    print('print')\n    sys.stderr.write('stderr\\n')\n    os.write(1, b'raw 1\\n')\n    os.write(2, b'raw 2\\n')\n" +
        "    subprocess.run(['echo', 'child'])\n    print(sys.stdin.read() == '')\n    return f\n",
    );
    expect(await ask(handler)).toBe("?");
    expect(readLog()).toBe("print\nstderr\nraw 1\nraw 2\nchild\nTrue\n");
  });

  it("may be 100 MB", async () => {
    const handler = await startPython(
      "line = 'x' * 9999\ndef handle(s, f):\n    for _ in range(10_000): print(line)\n    return f\n",
    );
    expect(await ask(handler)).toBe("?");
    expect(readLog().length).toBe(100_000_000);
  });

  it("may stop for good: closed descriptors, and frames 3 and 4 among them, do no harm", async () => {
    const text = `import os, sys\ndef handle(s, f):\n    sys.stdout.close()\n    os.closerange(0, 50)\n    return f\n`;
    const handler = await startPython(text);
    expect([await ask(handler), await ask(handler)]).toEqual(["?", "?"]);
  });
});

describe("processes of the handler", () => {
  it("may be forked, and one that comes back from the call is ended", async () => {
    const handler = await startPython(
      "import os\ndef handle(s, f):\n    child = os.fork()\n    if child: os.waitpid(child, 0)\n    return f\n",
    );
    expect([await ask(handler, "1"), await ask(handler, "2")]).toEqual(["1", "2"]);
  });

  it.each(["fork", "spawn", "forkserver"])("may come from multiprocessing: %s", async (method) => {
    const text =
      "import sys\ndef double(n):\n    print(f'child at work {sys.stdout.write_through}')\n    return n * 2\n";
    write("work.py", text);
    const handler = await startPython(
      "import multiprocessing\nfrom work import double\n" +
        "def handle(s, f):\n" +
        `    with multiprocessing.get_context('${method}').Pool(2) as pool:\n` +
        "        return str(pool.map(double, [1, 2, 3])).encode()\n" +
        "if __name__ == '__main__':\n    raise SystemExit('the guard did not hold')\n",
    );
    expect(await ask(handler)).toBe("[2, 4, 6]");
    expect(readLog().match(/child at work True/g)).toHaveLength(3);
  });

  it("do not keep a call open that has been answered", async () => {
    const text =
      "import subprocess\ndef handle(s, f):\n    subprocess.Popen(['sleep', '600'])\n    return f\n";
    const handler = await startPython(text);
    expect(await ask(handler)).toBe("?");
  });
});

it("threads that hold the interpreter are waited for, and this process goes on meanwhile", async () => {
  const text = "def handle(s, f):\n    return str(sum(range(60_000_000))).encode()\n";
  const handler = await startPython(text);
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 5);
  expect(await ask(handler)).toBe("1799999970000000");
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
});
