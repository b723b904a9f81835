import { randomFillSync } from "node:crypto";

const NUMBER_AT = 0;
const REPLY_BYTES_AT = 4;

/**
 * An observation of random bytes, as JPEGs nearly are. Its first 8 bytes are its number, and how many bytes of it the
 * reply is to have: all of them for an echo.
 */
export function makeFrame(bytes, replyBytes = bytes) {
  const frame = randomFillSync(Buffer.alloc(bytes));
  frame.writeUInt32BE(replyBytes, REPLY_BYTES_AT);
  return frame;
}

/** Numbers the frame anew, so that no reply can be taken for that of another call. */
export function numberFrame(frame, number) {
  frame.writeUInt32BE(number, NUMBER_AT);
}

/** The reply that a frame asks for, as a view. */
export function cutReply(frame) {
  return frame.subarray(0, frame.readUInt32BE(REPLY_BYTES_AT));
}

/** Throws unless this is the reply to the frame: by length, number and last bytes, or by all of them if `whole`. */
export function checkReply(frame, reply, whole) {
  const expected = cutReply(frame);
  const compared = whole ? 0 : expected.length - 8;
  const same =
    reply.length === expected.length &&
    reply.readUInt32BE(NUMBER_AT) === frame.readUInt32BE(NUMBER_AT) &&
    reply.subarray(compared).equals(expected.subarray(compared));
  if (!same) throw new Error(`${reply.length} other bytes came back than the ${expected.length} expected`);
}
