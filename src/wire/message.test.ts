import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeFrame, makeFrameHeader } from "./frame.ts";
import {
  decodeFragments,
  describeTooBig,
  findClaimedBytes,
  joinFragments,
  MAX_MESSAGE_BYTES,
} from "./message.ts";

const bytes = fc.uint8Array({ maxLength: 40 });

describe("a message in fragments", () => {
  it("is the same frame however it was cut", () => {
    fc.assert(
      fc.property(bytes, bytes, fc.array(fc.nat(90), { maxLength: 4 }), (sid, payload, cuts) => {
        const whole = encodeFrame(sid, payload);
        const places = [
          0,
          ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b),
          whole.length,
        ];
        const fragments = places.slice(1).map((end, index) => whole.subarray(places[index], end));
        expect(decodeFragments(fragments)).toEqual({ sid, payload });
        expect(joinFragments(fragments)).toEqual(whole);
      }),
    );
  });

  it("keeps the payload where it is when it came by itself", () => {
    const payload = Uint8Array.of(1, 2, 3);
    const frame = decodeFragments([makeFrameHeader(Uint8Array.of(7)), payload]);
    expect(frame).toHaveProperty("payload");
    expect("payload" in frame && frame.payload).toBe(payload);
  });

  it("may be none at all, or no frame", () => {
    expect(decodeFragments([])).toEqual({ fault: "short" });
    expect(decodeFragments([Uint8Array.of(0), Uint8Array.of(0, 0)])).toEqual({ fault: "short" });
    expect(decodeFragments([Uint8Array.of(0, 0, 0, 9), Uint8Array.of(1)])).toEqual({ fault: "overrun" });
  });
});

it("what is too big is told with size and limit", () => {
  expect(describeTooBig(MAX_MESSAGE_BYTES + 1)).toBe(
    "a message of 67108865 bytes: at most 67108864 (64 MiB) are taken",
  );
  expect(describeTooBig(undefined)).toBe("a message that is too long: at most 67108864 (64 MiB) are taken");
});

it("the claimed size is found where ws keeps it, and not missed where it does not", () => {
  expect(findClaimedBytes({ _receiver: { _totalPayloadLength: 7 } })).toBe(7);
  expect([findClaimedBytes({}), findClaimedBytes({ _receiver: {} })]).toEqual([undefined, undefined]);
});
