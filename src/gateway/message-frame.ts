import { decodeFrame, makeFrameHeader } from "../wire/frame.ts";

/** The longest message that either side takes. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** First byte of a WebSocket frame: the whole of a binary message. */
const WHOLE_BINARY = 0x82;

/**
 * All of a message before its payload: the header of one WebSocket frame (RFC 6455 §5.2; a server's frames have no
 * mask), then the header of the tunnel's frame. The payload is written behind it as it is: it is not copied, and the
 * agent still gets it in one piece, which it would have to join were it sent in two fragments.
 */
export function makeMessageHeader(sid: Uint8Array, payloadBytes: number): Buffer {
  const inner = makeFrameHeader(sid);
  const bytes = inner.length + payloadBytes;
  const head = bytes < 126 ? 2 : bytes < 65_536 ? 4 : 10;
  const header = Buffer.allocUnsafe(head + inner.length);
  header[0] = WHOLE_BINARY;
  header[1] = head === 2 ? bytes : head === 4 ? 126 : 127;
  if (head === 4) header.writeUInt16BE(bytes, 2);
  if (head === 10) header.writeBigUInt64BE(BigInt(bytes), 2);
  header.set(inner, head);
  return header;
}

/** Takes apart a message that came in fragments. Its payload is copied only when a fragment ends inside of it. */
export function decodeFragments(fragments: readonly Uint8Array[]): ReturnType<typeof decodeFrame> {
  const [first, second] = fragments;
  if (first !== undefined && second !== undefined && fragments.length === 2) {
    const header = decodeFrame(first);
    if (header.fault === undefined && header.payload.length === 0)
      return { sid: header.sid, payload: second };
  }
  return decodeFrame(first !== undefined && second === undefined ? first : Buffer.concat(fragments));
}
