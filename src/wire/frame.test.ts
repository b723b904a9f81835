import fc from "fast-check";
import { describe, expect, it } from "vitest";
import fixtures from "../../fixtures/wire/data-frames.json" with { type: "json" };
import { damagedFrameCount, damageSeed, makeDamagedFrames } from "../../test/support/damage-frames.ts";
import {
  decodeFrame,
  describeFrameFault,
  encodeFrame,
  findFrameKind,
  MAX_SESSION_ID_BYTES,
  makeFrameHeader,
} from "./frame.ts";
import { encodeSessionId } from "./session-id.ts";

function readHex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "hex"));
}

const someSid = fc.uint8Array({ maxLength: MAX_SESSION_ID_BYTES });
const somePayload = fc.uint8Array({ maxLength: 2000 });

describe("data frames", () => {
  it.each(fixtures.frames)("are made and taken apart: $name", ({ frame, sid, payload }) => {
    expect(encodeFrame(readHex(sid), readHex(payload))).toEqual(readHex(frame));
    expect(decodeFrame(readHex(frame))).toEqual({ sid: readHex(sid), payload: readHex(payload) });
  });

  it.each(fixtures.faults)("T02 T03 are told from bytes that are none: $name", ({ frame, fault }) => {
    expect(decodeFrame(readHex(frame))).toEqual({ fault });
  });

  it("T04 allocate nothing by the length that 40 bytes claim", () => {
    const bytes = new Uint8Array(40).fill(0xff, 0, 4);
    const before = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 1000; round += 1) expect(decodeFrame(bytes).fault).toBe("overrun");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
    expect(describeFrameFault("overrun", bytes)).toBe(
      "a data frame of 40 bytes that claims a session id of 4294967295",
    );
  });

  it("T05 take a session id of 256 bytes and refuse one of 257 before it is sent", () => {
    const most = new Uint8Array(256).fill(0x61);
    expect(decodeFrame(encodeFrame(most, new Uint8Array(1))).fault).toBeUndefined();
    expect(makeFrameHeader(most)).toHaveLength(260);
    for (const make of [encodeFrame, makeFrameHeader]) {
      expect(() => make(new Uint8Array(257), new Uint8Array(1))).toThrow(
        expect.objectContaining({
          code: "session_id_too_long",
          message: "A session id of 257 bytes cannot be sent: a frame takes at most 256.",
        }),
      );
    }
  });

  it("T07 without a payload are the probe, and without a session id alone belong to nobody", () => {
    const none = new Uint8Array();
    const sid = encodeSessionId("s1");
    const payload = new Uint8Array(3);
    expect(findFrameKind({ sid: none, payload: none })).toBe("empty");
    expect(findFrameKind({ sid, payload: none })).toBe("empty");
    expect(findFrameKind({ sid: none, payload })).toBe("no_session");
    expect(findFrameKind({ sid, payload })).toBe("data");
  });

  it("come back as they were sent, in one piece or as header and payload", () => {
    fc.assert(
      fc.property(someSid, somePayload, (sid, payload) => {
        const whole = encodeFrame(sid, payload);
        expect(decodeFrame(whole)).toEqual({ sid, payload });
        expect(Buffer.concat([makeFrameHeader(sid), payload]).equals(whole)).toBe(true);
      }),
    );
  });

  it("are taken apart without a copy, also where they lie inside a larger buffer", () => {
    const frame = encodeFrame(encodeSessionId("s1"), new Uint8Array([1, 2, 3]));
    const larger = new Uint8Array(100);
    larger.set(frame, 50);
    const decoded = decodeFrame(larger.subarray(50, 50 + frame.length));
    expect(decoded.fault === undefined && decoded.payload.buffer).toBe(larger.buffer);
    expect(decoded.fault === undefined && [...decoded.payload]).toEqual([1, 2, 3]);
  });
});

describe(`${damagedFrameCount} damaged frames, seed ${damageSeed}`, () => {
  it("are either no frame, or make the same bytes again", () => {
    const samples = fixtures.frames.map(({ frame }) => readHex(frame));
    let whole = 0;
    let tried = 0;
    for (const bytes of makeDamagedFrames(samples, damageSeed)) {
      const decoded = decodeFrame(bytes);
      if (decoded.fault === undefined) {
        whole += 1;
        if (!Buffer.from(encodeFrame(decoded.sid, decoded.payload)).equals(bytes)) {
          expect.fail(`seed ${damageSeed}, frame ${tried}: ${Buffer.from(bytes).toString("hex")}`);
        }
      } else describeFrameFault(decoded.fault, bytes);
      tried += 1;
      if (tried === damagedFrameCount) break;
    }
    expect(whole).toBeGreaterThan(tried / 10);
    expect(whole).toBeLessThan(tried);
  });
});
