import { expect, test } from "vitest";
import { encodeFrame } from "../wire/frame.ts";
import { takeApart } from "./take-apart.ts";

const sid = Buffer.from("session 1");
const payload = Buffer.from("an observation of many bytes");
const bytes = Buffer.from(encodeFrame(sid, payload));

test("a frame is the same however it was cut into fragments", () => {
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    for (const fragments of [
      [bytes.subarray(0, cut), bytes.subarray(cut)],
      [bytes.subarray(0, cut), Buffer.alloc(0), bytes.subarray(cut)],
    ]) {
      const frame = takeApart(fragments);
      if (frame.fault !== undefined) throw new Error(frame.fault);
      expect(Buffer.from(frame.sid)).toEqual(sid);
      expect(Buffer.from(frame.payload)).toEqual(payload);
    }
  }
});

test("a payload that is a fragment of its own, or a whole message, is not copied", () => {
  const parts = [bytes.subarray(0, bytes.length - payload.length), Buffer.from(payload)];
  expect(takeApart(parts)).toHaveProperty("payload", parts[1]);
  expect(takeApart([bytes])).toHaveProperty("payload.buffer", bytes.buffer);
});

test("what is no frame is told as such", () => {
  expect(takeApart([])).toMatchObject({ fault: "short" });
  expect(takeApart([Buffer.from([255, 255, 255, 255]), payload])).toMatchObject({ fault: "overrun" });
  const long = Buffer.alloc(4 + 257);
  long.writeUInt32BE(257);
  expect(takeApart([long, payload])).toMatchObject({ fault: "sid_too_long" });
});
