import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  makeRecordingEnd,
  makeRecordingFrame,
  makeRecordingStart,
  type RecordingEntry,
  type RecordingInfo,
  START_BYTES,
} from "./recording.ts";
import { type RecordingPart, RecordingReader } from "./recording-reader.ts";

const info: RecordingInfo = {
  ...{ caseId: 7, jobUuid: "0b5c6f0e", board: "instruction", task: "pick é", index: 2, seed: 40 },
  ...{ sessionId: "3f2b8c1e", agentId: "left", startedAt: "2026-11-29T20:00:00.000Z" },
};
const sid = Buffer.from(info.sessionId);
const result = { score: 0.5, steps: 2, detail: null };
const entries: RecordingEntry[] = [
  { type: "observation", timeUs: 0, sid, payload: Buffer.from([0, 255, 10, 13]) },
  { type: "action", timeUs: 350_000, sid, payload: Buffer.alloc(3000, "a") },
  { type: "observation", timeUs: 2 ** 43, sid, payload: Buffer.alloc(0) },
  { type: "end", timeUs: 2 ** 43 + 1, result },
];
const start = makeRecordingStart(info);
const pieces = [
  start,
  ...entries.map((entry) =>
    entry.type === "end" ? makeRecordingEnd(entry.timeUs, sid, result) : makeRecordingFrame(entry),
  ),
];
const whole = Buffer.concat(pieces);

function read(bytes: Uint8Array, chunkBytes = bytes.length || 1) {
  const reader = new RecordingReader();
  const parts: RecordingPart[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    parts.push(...reader.take(bytes.subarray(at, at + chunkBytes)));
  const end = reader.finish();
  return { parts: parts.map(makePlain), fault: reader.fault, ...end };
}

/** Views and buffers of the same bytes are the same here. */
function makePlain(part: RecordingPart) {
  if (part.type !== "observation" && part.type !== "action") return part;
  return { ...part, sid: Buffer.from(part.sid), payload: Buffer.from(part.payload) };
}

const all = [{ type: "info", info }, ...entries];

describe("a recording", () => {
  it.each([1, 2, 7, 64, 4096])("comes back byte for byte out of pieces of %i bytes", (chunkBytes) => {
    expect(read(whole, chunkBytes)).toEqual({
      ...{ parts: all, fault: undefined },
      ...{ state: "whole", wholeBytes: whole.length },
    });
  });

  it("that is cut off anywhere is read up to its last whole entry", () => {
    const ends = pieces.map((_, index) => Buffer.concat(pieces.slice(0, index + 1)).length);
    for (let bytes = start.length; bytes < whole.length; bytes += 1) {
      const count = ends.filter((end) => end <= bytes).length;
      expect(read(whole.subarray(0, bytes))).toEqual({
        ...{ parts: all.slice(0, count), fault: undefined },
        ...{ state: "torn", wholeBytes: ends[count - 1] },
      });
    }
  });

  it("that was cut off by a power failure may end in zeros", () => {
    const bytes = Buffer.concat([start, pieces[1] as Uint8Array, Buffer.alloc(5000)]);
    expect(read(bytes, 64)).toMatchObject({
      ...{ fault: undefined, state: "torn" },
      wholeBytes: bytes.length - 5000,
    });
    expect(read(Buffer.concat([bytes, Buffer.from("x")])).fault).toMatch(
      /claims 0 bytes, and something follows/,
    );
  });

  it("has no text that is longer than its reader takes", () => {
    const long = "\u0001".repeat(100_000);
    const wordy = { ...info, task: long, board: long, jobUuid: long, agentId: long, sessionId: long };
    const cut = Buffer.concat([
      makeRecordingStart(wordy),
      makeRecordingEnd(1, sid, { ...result, detail: long }),
    ]);
    expect(read(cut)).toMatchObject({ fault: undefined, state: "whole" });
  });
});

describe("what is no recording is refused", () => {
  const change = (at: number, bytes: readonly number[], of: Uint8Array = whole) => {
    const changed = Buffer.from(of);
    changed.set(bytes, at);
    return changed;
  };
  const head = start.length;

  it.each<[string, Uint8Array, RegExp]>([
    ["nothing", Buffer.alloc(0), /ends within its first lines/],
    ["less than its start", start.subarray(0, START_BYTES + 5), /ends within its first lines/],
    ["a text", Buffer.from("a text that is longer than the start\n"), /does not begin as a recording/],
    ["another version", change(8, [0, 2]), /version 2, and only version 1/],
    ["endless facts", change(10, [255, 255, 255, 255]), /claims 4294967295 bytes of facts/],
    ["facts that are none", change(START_BYTES, [0x5b]), /facts about its case/],
    ["an endless entry", change(head, [255, 255, 255, 255]), /entry at byte \d+ claims 4294967295 bytes/],
    ["an entry without its head", change(head, [0, 0, 0, 10]), /claims 10 bytes/],
    ["an entry of no type", change(head + 4, [9]), /entry at byte \d+ cannot be read/],
    ["a session id beyond its entry", change(head + 13, [0, 200]), /cannot be read/],
    ["an end that is none", change(whole.length - 3, [0x5b]), /its end is not/],
    ["more behind the end", Buffer.concat([whole, start]), /something follows its end/],
  ])("%s", (_, bytes, fault) => {
    expect(read(bytes).fault).toMatch(fault);
  });

  it("whatever is damaged, nothing throws and nothing is made up", () => {
    const damaged = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(damaged, fc.integer({ min: 1, max: 500 }), (changes, chunkBytes) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of changes) bytes[at] = byte;
        const { parts, wholeBytes } = read(bytes, chunkBytes);
        expect(parts.length).toBeLessThanOrEqual(all.length);
        expect(wholeBytes).toBeLessThanOrEqual(whole.length);
      }),
    );
  });
});
