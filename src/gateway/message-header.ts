import { makeFrameHeader } from "../wire/frame.ts";

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
