import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ask, sid, useHandlers } from "../../test/support/handlers.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { waitFor } from "../../test/support/wait-for.ts";

const folder = useTempFolder();
const { inFolder, write, start, startJs, readLog } = useHandlers(folder);

const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("a handler is found", () => {
  it.each([
    ["a named export", "policy.mjs", "export const handle = (s, f) => f;"],
    ["a default export", "policy.mjs", "export default async (s, f) => f;"],
    [
      "a default object",
      "policy.mjs",
      "export default { it: 1, handle(s, f) { return this.it === 1 && f; } };",
    ],
    ["an export of CommonJS", "policy.cjs", "exports.handle = (s, f) => f;"],
    ["all that CommonJS exports", "policy.cjs", "module.exports = (s, f) => f;"],
    ["CommonJS by .js", "policy.js", "module.exports = { handle: (s, f) => f, load() {} };"],
    ["another name", "policy.mjs:act", "export const act = (s, f) => f;"],
    [
      "a method",
      "policy.mjs:policy.act",
      "class P { act(s, f) { return this instanceof P && f; } }\nexport const policy = new P();",
    ],
    ["a method of CommonJS", "policy.cjs:policy.act", "module.exports = { policy: { act: (s, f) => f } };"],
  ])("%s", async (_, spec, text) => {
    write(spec.split(":")[0] as string, text);
    expect(await ask(await start(spec))).toBe("?");
  });

  it("as a module by .js where its package says so, with its neighbours", async () => {
    write("package.json", '{"type":"module"}');
    write("near.js", "export const word = 'near';");
    write("policy.js", "import { word } from './near.js';\nexport const handle = () => Buffer.from(word);");
    expect(await ask(await start("policy.js"))).toBe("near");
  });
});

describe("a handler is refused", () => {
  const refuse = (starting: Promise<unknown>) =>
    starting.then(
      () => expect.fail("it started"),
      (error) => error,
    );

  it("where its file is missing, with the nearest name", async () => {
    write("policy.mjs", "");
    expect(await refuse(start("polcy.mjs"))).toMatchObject({
      code: "handler_not_found",
      hint: expect.stringMatching(/^Did you mean policy\.mjs\?/),
    });
  });

  it("where its function is missing or cannot answer", async () => {
    write(
      "policy.mjs",
      "export function predict(s, f) {}\nexport class Policy {}\nexport const speed = 3;\nexport const three = (a, b, c) => a;",
    );
    expect(await refuse(start("policy.mjs"))).toMatchObject({
      code: "handler_no_function",
      message: `${inFolder("policy.mjs")} has no function handle.`,
      hint: "It has: Policy, predict, three.",
    });
    expect((await refuse(start("policy.mjs:predit"))).hint).toBe("Did you mean predict?");
    expect((await refuse(start("policy.mjs:Policy"))).message).toContain("it is a class");
    expect((await refuse(start("policy.mjs:speed"))).message).toContain(
      "no function but a value of type number",
    );
    expect((await refuse(start("policy.mjs:three"))).message).toContain("it wants 3 arguments");
  });

  it.each(["policy.mjs", "policy.cjs"])("over a syntax error, with file and line: %s", async (name) => {
    expect(await refuse(startJs("const a = 1;\nfunction handle( {\n", name))).toMatchObject({
      code: "handler_syntax",
      details: { file: inFolder(name), line: expect.any(Number) },
    });
  });

  it("over a name that a neighbour lacks, with the line that asks for it", async () => {
    expect(await refuse(startJs("\nimport { nothing } from 'node:fs';"))).toMatchObject({
      code: "handler_syntax",
      message: expect.stringMatching(
        /does not provide an export named 'nothing' in .*policy\.mjs, line 2\.$/,
      ),
    });
  });

  it("over a syntax error in a neighbour", async () => {
    write("near.mjs", "export const = 3;");
    expect(await refuse(startJs("import './near.mjs';\nexport const handle = () => 1;"))).toMatchObject({
      code: "handler_import_failed",
      hint: "Correct it there, or in the file that it imports.",
    });
  });

  it.each([
    ["a package that is missing", "import 'no-such-package';", /Cannot find package 'no-such-package'/],
    ["an exception", "throw new RangeError('no weights\\x1b');", /RangeError: no weights\\x1b/],
    ["something thrown", "throw 'words';", /it threw words/],
  ])("over %s", async (_, text, reason) => {
    const error = await refuse(startJs(text));
    expect(error).toMatchObject({ code: "handler_import_failed" });
    expect(error.message).toMatch(reason);
    if (text.startsWith("throw new"))
      expect(readLog()).toMatch(/^RangeError: no weights.*\n {4}at .*policy\.mjs:1/);
  });

  it("over an exit or a loop without an end while it is imported", async () => {
    expect(await refuse(startJs("process.exit(3);"))).toMatchObject({
      message: "The handler ended while it was imported: it called process.exit(3).",
    });
    expect(await refuse(startJs("await new Promise(() => {});"))).toMatchObject({
      message:
        "The handler ended while it was imported: it ended before it had a handler, at an await that nothing settles.",
    });
    write("policy.mjs", "for (;;);");
    expect(await refuse(start("policy.mjs", { loadTimeoutMs: 300 }))).toMatchObject({ code: "handler_slow" });
    const signal = AbortSignal.timeout(300);
    expect(await refuse(start("policy.mjs", { signal }))).toMatchObject({ code: "handler_stopped" });
  });
});

describe("calls", () => {
  it("reach load, open, handle and close, and wait for promises", async () => {
    const handler = await startJs(
      "const notes = [];\nexport const load = async () => { await null; notes.push('load'); };\n" +
        "export const open = (s) => notes.push('open ' + s);\nexport const close = async (s) => notes.push('close ' + s);\n" +
        "export const handle = async (s, f) => { await null; return Buffer.from(notes.join(' | ')); };",
    );
    expect(handler.about).toMatchObject({ language: "javascript", offers: ["load", "open", "close"] });
    await handler.load();
    await handler.open(sid);
    await handler.close(sid);
    expect(await ask(handler)).toBe("load | open 3f2b8c1e | close 3f2b8c1e");
  });

  it("warm a handler without load up by the empty frame", async () => {
    const handler = await startJs(
      "let seen = '';\nexport const handle = (s, f) => { seen += '[' + s + ' ' + f.length + ']'; return f.length ? Buffer.from(seen) : null; };",
    );
    await handler.load();
    expect(await ask(handler)).toBe("[ 0][3f2b8c1e 1]");
  });

  it.each([
    ["a Uint8Array", "new Uint8Array([111, 107])"],
    ["a Buffer of the pool", "Buffer.from('ok')"],
    ["an ArrayBuffer", "new Uint8Array([111, 107]).buffer"],
    ["a view", "new Uint8Array([120, 111, 107]).subarray(1)"],
    ["a view of its frame", "f.fill(107).fill(111, 0, 1).subarray(0, 2)"],
    [
      "shared memory",
      "(() => { const a = new Uint8Array(new SharedArrayBuffer(2)); a.set([111, 107]); return a; })()",
    ],
  ])("are answered with %s", async (_, value) => {
    expect(await ask(await startJs(`export const handle = (s, f) => ${value};`), "???")).toBe("ok");
  });

  it("leave the handler what it keeps, and the caller what is the caller's", async () => {
    const handler = await startJs(
      "const kept = new Uint8Array([111, 107]);\nexport const handle = (s, f) => (f.fill(0), kept);",
    );
    const payload = Buffer.from("payload");
    for (let call = 0; call < 3; call += 1) {
      expect(new TextDecoder().decode(await handler.handle(sid, payload))).toBe("ok");
    }
    expect(payload.toString()).toBe("payload");
  });

  it.each([0, 1, 85_408, 8 * 1024 ** 2, 63 * 1024 ** 2])("carry %d bytes there and back", async (size) => {
    const handler = await startJs("export const handle = (s, f) => f;");
    const payload = Buffer.alloc(size + 8, "0123456789abcdef0").subarray(4, 4 + size);
    expect(hash(await handler.handle(sid, payload))).toBe(hash(payload));
  });

  it.each([
    ["undefined", "undefined", "TypeError: it returned undefined, not bytes (a Uint8Array)"],
    ["null", "null", "TypeError: it returned null, not bytes (a Uint8Array)"],
    ["a text", "'ok'", "TypeError: it returned String, not bytes (a Uint8Array)"],
    ["numbers", "new Float32Array(2)", "TypeError: it returned Float32Array, not bytes (a Uint8Array)"],
    [
      "an object without a class",
      "Object.create(null)",
      "TypeError: it returned object, not bytes (a Uint8Array)",
    ],
    ["an exception", "(() => { throw new RangeError('left_arm'); })()", "RangeError: left_arm"],
    ["something thrown", "(() => { throw 7; })()", "it threw 7"],
    ["a promise that fails", "Promise.reject(new Error('no'))", "Error: no"],
    ["an endless recursion", "handle(s, f)", "RangeError: Maximum call stack size exceeded"],
  ])("fail alone where the answer is %s", async (_, value, reason) => {
    const text = `export const handle = (s, f) => { if (f.length === 5) return f; return ${value}; };`;
    const handler = await startJs(text);
    await expect(ask(handler)).rejects.toMatchObject({
      code: "handler_fault",
      details: { call: "handle", reason },
    });
    expect(await ask(handler, "go on")).toBe("go on");
  });

  it("print to the log, the trace of a fault too, without lines that are not the user's", async () => {
    const handler = await startJs(
      "export const handle = (s, f) => { console.log('log'); console.error('error'); process.stdout.write('out\\n'); return step(); };\n" +
        "const step = () => { throw new Error('no'); };",
    );
    await expect(ask(handler)).rejects.toMatchObject({ code: "handler_fault" });
    expect(readLog()).toMatch(/^log\nerror\nout\nError: no\n {4}at step .*policy\.mjs:2/);
    expect(readLog()).not.toMatch(/worker eval|node:internal/);
  });

  it("may print 100 MB", async () => {
    const text =
      "const line = 'x'.repeat(9999);\nexport const handle = (s, f) => { for (let i = 0; i < 10000; i++) console.log(line); return f; };";
    expect(await ask(await startJs(text))).toBe("?");
    expect(readLog().length).toBe(100_000_000);
  });
});

describe("the end", () => {
  it.each([
    ["an exit", "process.exit(3)", "it called process.exit(3)"],
    [
      "an exception that nothing catches",
      "setTimeout(() => { throw new Error('late'); }); await new Promise(() => {})",
      "nothing caught Error: late",
    ],
    [
      "a promise that nothing catches",
      "Promise.reject(new Error('lost')); await new Promise(() => {})",
      "nothing caught Error: lost",
    ],
  ])("by itself rejects what is open and is told once: %s", async (_, line, end) => {
    const handler = await startJs(`export const handle = async (s, f) => { ${line}; };`);
    const expected = {
      code: "handler_died",
      details: { when: "in handle", end },
    };
    await expect(ask(handler)).rejects.toMatchObject(expected);
    expect(await handler.died).toMatchObject(expected);
    await expect(ask(handler)).rejects.toMatchObject(expected);
    if (line.includes("Error")) expect(readLog()).toMatch(/^Error: (late|lost)\n {4}at .*policy\.mjs:1/);
    await handler.stop();
  });

  it.each([
    ["a loop without an end", "for (;;);"],
    ["a wait without an end", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);"],
    ["a promise without an end", "await new Promise(() => undefined);"],
  ])("by a stop comes in %s too", async (_, line) => {
    const handler = await startJs(`export const handle = async () => { console.log('busy'); ${line} };`);
    const asked = ask(handler).catch((error: unknown) => error);
    await waitFor(() => readLog().includes("busy"));
    await Promise.all([handler.stop(), handler.stop()]);
    expect(await asked).toMatchObject({ code: "handler_stopped" });
    await expect(handler.load()).rejects.toMatchObject({ code: "handler_stopped" });
    expect(await Promise.race([handler.died, Promise.resolve("not told")])).toBe("not told");
  });

  it("leaves this thread free while the handler is busy", async () => {
    const handler = await startJs(
      "export const handle = (s, f) => { const end = Date.now() + 500; while (Date.now() < end); return f; };",
    );
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 5);
    expect(await ask(handler)).toBe("?");
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});
