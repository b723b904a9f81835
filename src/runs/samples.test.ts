import { describe, expect, it } from "vitest";
import { findOffsetAt } from "./samples.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const HEADER = "time,log_bytes,memory_mib\n";
const timeOf = (index: number) => new Date(START + index * 10_000);
const stamp = (time: Date) => time.toISOString().replace(".000", "");

/** A file in memory that counts what is read of it. */
function makeFile(text: string) {
  const bytes = Buffer.from(text);
  let read = 0;
  const file = {
    size: async () => bytes.length,
    read: async (offset: number, length: number) => {
      read += length;
      return bytes.subarray(offset, offset + length);
    },
  };
  return { file, size: bytes.length, countRead: () => read };
}

/** One sample every ten seconds, at each of which the log has grown by 100 bytes. */
function makeSamples(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => `${stamp(timeOf(index))},${index * 100},17\n`);
  return HEADER + lines.join("");
}

describe("where the log stood", () => {
  it.each([
    ["before all samples", -1, 0],
    ["at one", 2, 200],
    ["after all", 99, 400],
  ])("%s", async (_, index, offset) => {
    expect(await findOffsetAt(makeFile(makeSamples(5)).file, timeOf(index))).toBe(offset);
  });

  it("in a run of a month, which is read at its end alone", async () => {
    const count = 30 * 8640 * 3;
    const { file, size, countRead } = makeFile(makeSamples(count));
    expect(size).toBeGreaterThan(16 * 1024 * 1024);
    expect(await findOffsetAt(file, timeOf(count - 60))).toBe((count - 60) * 100);
    expect(countRead()).toBeLessThan(1024 * 1024);
    // A sample may lie on both sides of a block's edge: each one is found.
    for (let index = count - 20_000; index < count; index += 997)
      expect(await findOffsetAt(file, timeOf(index))).toBe(index * 100);
  });

  it("where the last line is still being written, or there is no file", async () => {
    const cut = `${makeSamples(2)}${stamp(timeOf(2))},20`;
    expect(await findOffsetAt(makeFile(cut).file, timeOf(9))).toBe(100);
    expect(await findOffsetAt(makeFile("").file, timeOf(9))).toBe(0);
  });
});
