import fc from "fast-check";
import { describe, expect, it } from "vitest";
import fixtures from "../../fixtures/wire/worker-frames.json" with { type: "json" };
import { damagedFrameCount, damageSeed, makeDamagedFrames } from "../../test/support/damage-frames.ts";
import {
  encodeWorkerFrame,
  isBetweenFrames,
  makeFrameReader,
  pushBytes,
} from "../../test/support/worker-frames.ts";
import {
  findWorkerFrameType,
  makeWorkerHeader,
  type WorkerFrame,
  type WorkerFrameType,
  workerFrameTypes,
} from "./worker-frame.ts";

function readHex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "hex"));
}

const recorded = fixtures.frames.map(({ name, type, sid, payload, frame }) => ({
  name,
  bytes: readHex(frame),
  frame: { type: type as WorkerFrameType, sid: readHex(sid), payload: readHex(payload) },
}));

const someFrame: fc.Arbitrary<WorkerFrame> = fc.record({
  type: fc.constantFrom(...(Object.keys(workerFrameTypes) as WorkerFrameType[])),
  sid: fc.uint8Array({ maxLength: 300 }),
  payload: fc.oneof(
    fc.uint8Array({ maxLength: 3000 }),
    fc.integer({ min: 60_000, max: 200_000 }).map((length) => new Uint8Array(length).fill(length)),
  ),
});

/** The stream in pieces, cut where the numbers say. */
function cutUp(stream: Uint8Array, cuts: number[]): Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (stream.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((start, index) => stream.subarray(start, places[index] ?? stream.length));
}

describe("worker frames", () => {
  it("have the numbers that the fixtures give them", () => {
    expect(workerFrameTypes).toEqual(fixtures.types);
    expect(findWorkerFrameType(0)).toBeUndefined();
  });

  it.each(recorded)("are made and read: $name", ({ bytes, frame }) => {
    expect(encodeWorkerFrame(frame)).toEqual(bytes);
    const reader = makeFrameReader();
    expect(pushBytes(reader, bytes)).toEqual([frame]);
    expect([reader.fault, isBetweenFrames(reader)]).toEqual([undefined, true]);
  });

  it.each(fixtures.faults)("end the reading where there can be none: $name", ({ stream, fault }) => {
    const reader = makeFrameReader();
    expect(pushBytes(reader, readHex(stream))).toEqual([]);
    expect([reader.fault, isBetweenFrames(reader)]).toEqual([fault, true]);
    expect(pushBytes(reader, recorded[0]?.bytes ?? new Uint8Array())).toEqual([]);
  });

  it("come out the same, wherever the pipe cuts them", () => {
    fc.assert(
      fc.property(
        fc.array(someFrame, { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 40 }),
        (frames, cuts) => {
          const stream = Buffer.concat(frames.map(encodeWorkerFrame));
          const reader = makeFrameReader();
          const read = cutUp(stream, cuts).flatMap((piece) => pushBytes(reader, piece));
          expect(read.map(({ type }) => type)).toEqual(frames.map(({ type }) => type));
          expect(Buffer.concat(read.map(encodeWorkerFrame)).equals(stream)).toBe(true);
          expect([reader.fault, isBetweenFrames(reader)]).toEqual([undefined, true]);
        },
      ),
    );
  });

  it("come out byte by byte, those before a fault too", () => {
    const frames = recorded.map(({ bytes }) => bytes);
    const stream = Buffer.concat([...frames, readHex("ffffffff000000")]);
    const reader = makeFrameReader();
    const read = [...stream].flatMap((byte) => pushBytes(reader, Uint8Array.of(byte)));
    expect(read).toEqual(recorded.map(({ frame }) => frame));
    expect(reader.fault).toBe("too_long");
  });

  it("land where they stay, all but their beginning", () => {
    const bytes = encodeWorkerFrame({
      type: "reply",
      sid: new Uint8Array(2),
      payload: new Uint8Array(1_000_000),
    });
    const reader = makeFrameReader();
    reader.target.set(bytes.subarray(0, reader.target.length));
    const basinBytes = reader.target.length;
    expect(reader.take(basinBytes)).toEqual([]);
    const { target } = reader;
    target.set(bytes.subarray(basinBytes));
    expect(target.length).toBe(bytes.length - basinBytes);
    const [frame] = reader.take(target.length);
    expect(frame?.payload.length).toBe(1_000_000);
    expect(frame?.payload.buffer).toBe(target.buffer);
  });

  it("take no memory for a length that is only claimed", () => {
    const asked: number[] = [];
    const reader = makeFrameReader((bytes) => {
      asked.push(bytes);
      return new Uint8Array(bytes);
    });
    const room = reader.target.length;
    pushBytes(reader, makeWorkerHeader("reply", new Uint8Array(), 60_000_000));
    pushBytes(reader, new Uint8Array(reader.target.length - 1));
    expect([asked, reader.target.length]).toEqual([[], 1]);
    pushBytes(reader, new Uint8Array(1));
    expect([asked, reader.target.length]).toEqual([[60_000_007], 60_000_007 - room]);
  });

  it("are refused where they cannot be sent", () => {
    const refused = expect.objectContaining({ code: "worker_frame_too_long" });
    expect(() => makeWorkerHeader("handle", new Uint8Array(), 66 * 1024 * 1024)).toThrow(refused);
    expect(() => makeWorkerHeader("handle", new Uint8Array(70_000), 1)).toThrow(refused);
  });
});

describe(`${damagedFrameCount} damaged worker frames, seed ${damageSeed}`, () => {
  it("never make the reader throw, or take memory for more than came", () => {
    const samples = recorded.map(({ bytes }) => bytes);
    let tried = 0;
    let pushed = 0;
    const makeReader = () =>
      makeFrameReader((bytes) => {
        if (pushed < room) expect.fail(`seed ${damageSeed}, frame ${tried}: ${bytes} bytes for ${pushed}`);
        return new Uint8Array(bytes);
      });
    let reader = makeReader();
    const room = reader.target.length;
    for (const bytes of makeDamagedFrames(samples, damageSeed)) {
      pushed += bytes.length;
      pushBytes(reader, bytes);
      if (reader.target.length === 0) expect.fail(`seed ${damageSeed}, frame ${tried}: no room is left`);
      if (reader.fault !== undefined || tried % 50 === 0) {
        reader = makeReader();
        pushed = 0;
      }
      tried += 1;
      if (tried === damagedFrameCount) break;
    }
    expect(tried).toBe(damagedFrameCount);
  });
});
