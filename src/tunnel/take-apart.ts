import { decodeFrame, type FrameFault, MAX_SESSION_ID_BYTES } from "../wire/frame.ts";

/** A message as ws gives it: the fragments in which it came. */
export type Fragments = readonly Buffer[];

export type IncomingFrame =
  | { readonly sid: Uint8Array; readonly payload: Uint8Array; readonly fault?: undefined }
  | { readonly fault: FrameFault; readonly bytes: Uint8Array };

const LENGTH_BYTES = 4;

/**
 * A data frame out of the fragments of its message. A gateway that sends header and payload as two fragments spares both
 * sides a copy of megabytes: the payload is then the second one as it is.
 */
export function takeApart(fragments: Fragments): IncomingFrame {
  const [header, payload] = fragments;
  if (fragments.length === 2 && header !== undefined && payload !== undefined && isHeader(header))
    return { sid: header.subarray(LENGTH_BYTES), payload };
  const bytes = fragments.length === 1 && header !== undefined ? header : Buffer.concat(fragments);
  const frame = decodeFrame(bytes);
  return frame.fault === undefined ? frame : { fault: frame.fault, bytes };
}

/** Whether these bytes are the whole of a frame before its payload, and no more. */
function isHeader(bytes: Buffer): boolean {
  if (bytes.length < LENGTH_BYTES || bytes.length > LENGTH_BYTES + MAX_SESSION_ID_BYTES) return false;
  return bytes.readUInt32BE(0) === bytes.length - LENGTH_BYTES;
}
