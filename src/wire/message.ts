import { type DecodedFrame, decodeFrame } from "./frame.ts";

/** The longest message that either side takes: a frame with its session id and payload. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Takes a frame apart whose message came in WebSocket fragments. A sender that has the header in one fragment and the
 * payload in the next spares both sides a copy of megabytes; any other cut costs one.
 */
export function decodeFragments(fragments: readonly Uint8Array[]): DecodedFrame {
  const [first, second] = fragments;
  if (first !== undefined && second !== undefined && fragments.length === 2) {
    const header = decodeFrame(first);
    if (header.fault === undefined && header.payload.length === 0)
      return { sid: header.sid, payload: second };
  }
  return decodeFrame(joinFragments(fragments));
}

/** The bytes of a message in one piece: as they are where they came in one. */
export function joinFragments(fragments: readonly Uint8Array[]): Uint8Array {
  const [first] = fragments;
  if (first !== undefined && fragments.length === 1) return first;
  const bytes = new Uint8Array(fragments.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const fragment of fragments) {
    bytes.set(fragment, at);
    at += fragment.length;
  }
  return bytes;
}

/** A sentence about a message that is beyond the limit; `claimedBytes` as its sender wrote, where that is known. */
export function describeTooBig(claimedBytes: unknown): string {
  const isSize = typeof claimedBytes === "number" && claimedBytes > MAX_MESSAGE_BYTES;
  const size = isSize ? `of ${claimedBytes} bytes` : "that is too long";
  return `a message ${size}: at most ${MAX_MESSAGE_BYTES} (64 MiB) are taken`;
}

/**
 * The size that the sender claimed of the message over which a WebSocket of `ws` fails just now. Only the receiver inside of
 * `ws` knows it: undefined should it be kept elsewhere one day.
 */
export function findClaimedBytes(webSocket: unknown): unknown {
  const { _receiver } = webSocket as { readonly _receiver?: { readonly _totalPayloadLength?: unknown } };
  return _receiver?._totalPayloadLength;
}
