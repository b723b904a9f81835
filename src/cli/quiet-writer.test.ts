import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { makeQuietWriter } from "./quiet-writer.ts";

const folder = useTempFolder();
const LINE = `${"x".repeat(9_999)}\n`;

/** A pipe whose one descriptor reads and writes, and blocks as those of a shell do. */
function openPipe(): number {
  const path = join(folder(), "pipe");
  execFileSync("mkfifo", [path]);
  return openSync(path, constants.O_RDWR);
}

function readSome(descriptor: number): string {
  const bytes = Buffer.alloc(100_000);
  return bytes.subarray(0, readSync(descriptor, bytes)).toString();
}

describe("text that is written", () => {
  it("waits for its reader without holding up anybody, and tells what was left out", async () => {
    const pipe = openPipe();
    const writer = makeQuietWriter(pipe);
    for (let lines = 0; lines < 300; lines += 1) writer.write(LINE);
    let text = "";
    while (!text.endsWith("end\n")) {
      text += readSome(pipe);
      writer.write("end\n");
      await writer.flush(50);
    }
    const kept = text.split("\n").filter((line) => line.startsWith("xxx")).length;
    expect(kept).toBeGreaterThan(100);
    expect(kept).toBeLessThan(300);
    expect(text.split("\n").filter((line) => line.includes("lines left out: nobody read them"))).not.toEqual(
      [],
    );
    closeSync(pipe);
  });

  it("is nothing but what its caller makes of a gap, and always has its last line", async () => {
    const pipe = openPipe();
    const writer = makeQuietWriter(pipe, (lines) => `{"gap":${lines}}\n`);
    const line = `{"x":"${"x".repeat(10_000)}"}\n`;
    for (let lines = 0; lines < 300; lines += 1) writer.write(line);
    writer.writeLast('{"end":true}\n');
    let text = "";
    while (!text.endsWith('{"end":true}\n')) {
      text += readSome(pipe);
      await writer.flush(50);
    }
    const documents = text
      .trimEnd()
      .split("\n")
      .map((part) => JSON.parse(part));
    const [gap, end] = documents.slice(-2);
    expect(end).toEqual({ end: true });
    expect(gap.gap + documents.length - 2).toBe(300);
    closeSync(pipe);
  });

  it("is flushed for so long and no longer", async () => {
    const pipe = openPipe();
    const writer = makeQuietWriter(pipe);
    for (let lines = 0; lines < 20; lines += 1) writer.write(LINE);
    const startedMs = performance.now();
    await writer.flush(100);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    await waitFor(() => readSome(pipe) !== "", { what: "the pipe" });
    closeSync(pipe);
  });

  it("stands in a file behind what others have written there", () => {
    const path = join(folder(), "log");
    const file = openSync(path, "w");
    execFileSync("sh", ["-c", "echo one"], { stdio: ["ignore", file, "inherit"] });
    makeQuietWriter(file).write("two\n");
    execFileSync("sh", ["-c", "echo three"], { stdio: ["ignore", file, "inherit"] });
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\nthree\n");
    closeSync(file);
  });

  it.each(["/dev/full", "/dev/null"])("is dropped where %s takes none", (path) => {
    const file = openSync(path, "w");
    const writer = makeQuietWriter(file);
    expect(() => writer.write("text\n")).not.toThrow();
    closeSync(file);
  });
});
