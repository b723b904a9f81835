import { makePrintable } from "../base/printable.ts";

/** The bytes of the session id that a control message names as text. */
export function encodeSessionId(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text of a session id; undefined when its bytes are not UTF-8, and then no control message can name it. */
export function decodeSessionId(sid: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(sid);
  } catch {
    return undefined; // not UTF-8, as announced
  }
}

/** A session id as the key of a map: two ids have one key only if their bytes are the same. */
export function makeSessionKey(sid: Uint8Array): string {
  let key = "";
  for (const byte of sid) key += String.fromCharCode(byte);
  return key;
}

/** A session id for people and logs: its text, or its bytes in hexadecimal where they are no text. */
export function showSessionId(sid: Uint8Array): string {
  const text = decodeSessionId(sid);
  if (text !== undefined) return makePrintable(text);
  return `0x${Array.from(sid, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

export function isSameSession(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
