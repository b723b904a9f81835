import fc from "fast-check";
import { expect, it } from "vitest";
import {
  decodeSessionId,
  encodeSessionId,
  isSameSession,
  makeSessionKey,
  showSessionId,
} from "./session-id.ts";

const someSid = fc.uint8Array({ maxLength: 256 });

it("two session ids have one key only if their bytes are the same", () => {
  fc.assert(
    fc.property(someSid, someSid, (one, other) => {
      expect(makeSessionKey(one) === makeSessionKey(other)).toBe(isSameSession(one, other));
      expect(makeSessionKey(one)).toBe(makeSessionKey(one.slice()));
    }),
  );
});

it("the id of a control message and that of a frame are the same one", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(decodeSessionId(encodeSessionId(text))).toBe(text);
    }),
  );
  expect(decodeSessionId(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe("\ufeffa");
});

it("an id that is no text is shown by its bytes, and one with control characters cannot move the cursor", () => {
  expect(decodeSessionId(Uint8Array.of(0xff, 0x00))).toBeUndefined();
  expect(showSessionId(Uint8Array.of(0xff, 0x00))).toBe("0xff00");
  expect(showSessionId(encodeSessionId("s\u001b[2J"))).toBe("s\\x1b[2J");
});
