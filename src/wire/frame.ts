import { SortieError } from "../base/error.ts";

/** The longest session id, in bytes of UTF-8, that a frame may carry. */
export const MAX_SESSION_ID_BYTES = 256;

const LENGTH_BYTES = 4;

export interface Frame {
  /** The session id as the bytes that came: a reply carries the same bytes, whether they are UTF-8 or not. */
  readonly sid: Uint8Array;
  readonly payload: Uint8Array;
}

/**
 * - `short`: fewer than the 4 bytes of the length field.
 * - `overrun`: the length of the session id reaches beyond the frame.
 * - `sid_too_long`: the session id has more than 256 bytes.
 */
export type FrameFault = "short" | "overrun" | "sid_too_long";

export type DecodedFrame = (Frame & { readonly fault?: undefined }) | { readonly fault: FrameFault };

/**
 * A data frame: `[u32 big-endian length of sid][sid][payload]`. Copies the payload; `makeFrameHeader` spares that.
 * SortieError `session_id_too_long` beyond 256 bytes.
 */
export function encodeFrame(sid: Uint8Array, payload: Uint8Array): Uint8Array {
  checkSessionId(sid);
  const bytes = new Uint8Array(LENGTH_BYTES + sid.length + payload.length);
  writeHeader(bytes, sid);
  bytes.set(payload, LENGTH_BYTES + sid.length);
  return bytes;
}

/**
 * All of a frame before its payload. Sent as the first fragment of a WebSocket message, the payload as the last, it is
 * the same message, and a payload of megabytes is not copied. SortieError as `encodeFrame`.
 */
export function makeFrameHeader(sid: Uint8Array): Uint8Array {
  checkSessionId(sid);
  const bytes = new Uint8Array(LENGTH_BYTES + sid.length);
  writeHeader(bytes, sid);
  return bytes;
}

/** Takes a frame apart. Session id and payload are views of `bytes`: nothing is copied, whatever length is claimed. */
export function decodeFrame(bytes: Uint8Array): DecodedFrame {
  if (bytes.length < LENGTH_BYTES) return { fault: "short" };
  const sidLength = new DataView(bytes.buffer, bytes.byteOffset, LENGTH_BYTES).getUint32(0);
  const payloadAt = LENGTH_BYTES + sidLength;
  if (payloadAt > bytes.length) return { fault: "overrun" };
  if (sidLength > MAX_SESSION_ID_BYTES) return { fault: "sid_too_long" };
  return { sid: bytes.subarray(LENGTH_BYTES, payloadAt), payload: bytes.subarray(payloadAt) };
}

/** What a frame that was taken apart asks for:
 * - `empty`: no payload. It is answered empty and the handler is not asked: a probe, or a warm-up of old gateways.
 * - `no_session`: a payload without a session id. Nobody waits for the answer: it is dropped.
 * - `data`: an observation or an action.
 */
export function findFrameKind({ sid, payload }: Frame): "empty" | "no_session" | "data" {
  if (payload.length === 0) return "empty";
  return sid.length === 0 ? "no_session" : "data";
}

/** A sentence for the log about a frame that cannot be taken apart. */
export function describeFrameFault(fault: FrameFault, bytes: Uint8Array): string {
  if (fault === "short") return `a data frame of ${bytes.length} bytes: it begins with a length of 4`;
  const sidLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  if (fault === "overrun")
    return `a data frame of ${bytes.length} bytes that claims a session id of ${sidLength}`;
  return `a session id of ${sidLength} bytes: at most ${MAX_SESSION_ID_BYTES} are allowed`;
}

function checkSessionId(sid: Uint8Array) {
  if (sid.length <= MAX_SESSION_ID_BYTES) return;
  throw new SortieError("session_id_too_long", { bytes: sid.length, most: MAX_SESSION_ID_BYTES });
}

function writeHeader(bytes: Uint8Array, sid: Uint8Array) {
  new DataView(bytes.buffer).setUint32(0, sid.length);
  bytes.set(sid, LENGTH_BYTES);
}
