import { describe, expect, it } from "vitest";
import type { LogSource } from "./log-source.ts";
import { readTail } from "./tail-log.ts";

/** A log in memory that counts what is read of it. */
function makeLog(bytes: Buffer) {
  let read = 0;
  const log: LogSource = {
    size: async () => bytes.length,
    read: async (offset, length) => {
      read += length;
      return bytes.subarray(offset, offset + length);
    },
  };
  return { log, countRead: () => read };
}

const tailOf = async (text: string, lines: number) => {
  const tail = await readTail(makeLog(Buffer.from(text)).log, lines);
  return { ...tail, bytes: tail.bytes.toString() };
};

it("does not go back behind a given place", async () => {
  const { log } = makeLog(Buffer.from("a\nb\nc\nd\n"));
  const read = async (lines: number) => (await readTail(log, lines, { from: 4 })).bytes.toString();
  expect([await read(1), await read(2), await read(9)]).toEqual(["d\n", "c\nd\n", "c\nd\n"]);
});

describe("the tail of a log", () => {
  it.each([
    ["a\nb\nc\n", 2, "b\nc\n"],
    ["a\nb\nc", 2, "b\nc"],
    ["a\nb\nc\n", 3, "a\nb\nc\n"],
    ["a\nb\nc\n", 9, "a\nb\nc\n"],
    ["\n\n\n", 2, "\n\n"],
    ["\na\n", 1, "a\n"],
    ["a", 1, "a"],
    ["a\n", 0, ""],
    ["", 5, ""],
  ])("%j, %d lines", async (text, lines, wanted) => {
    const tail = await tailOf(text, lines);
    expect(tail).toMatchObject({ bytes: wanted, cut: false });
    if (lines > 0) expect(tail.offset).toBe(text.length - wanted.length);
  });

  it("finds lines across the borders of its blocks", async () => {
    const text = Array.from({ length: 60_000 }, (_, number) => `line ${number}`).join("\n");
    for (const lines of [1, 100, 20_000, 59_999]) {
      const { bytes } = await tailOf(text, lines);
      expect(bytes).toBe(text.split("\n").slice(-lines).join("\n"));
    }
  });

  it("looks at a bounded part of a huge log", async () => {
    const { log, countRead } = makeLog(Buffer.alloc(64 * 1024 * 1024, "x"));
    const tail = await readTail(log, 50);
    expect(tail.cut).toBe(true);
    expect(countRead()).toBeLessThanOrEqual(9 * 1024 * 1024);
  });
});
