const MARK = "\u0000";

/** What a map key was on the wire: `text`, or one that most receivers refuse. */
export type KeyKind = "text" | "bytes" | "number" | "other";

export interface KeyName {
  readonly kind: KeyKind;
  readonly text: string;
}

/**
 * Any msgpack map key as the name of an object's property. A key that is no text keeps its kind behind a NUL
 * character, so that the bytes `__ndarray__` and the text `__ndarray__`, which two dialects tell apart, stay two.
 */
export function makeKeyName(key: unknown): string {
  if (typeof key === "string") return key;
  if (key instanceof Uint8Array) return `${MARK}bytes:${new TextDecoder().decode(key)}`;
  if (typeof key === "number" || typeof key === "bigint") return `${MARK}number:${key}`;
  return `${MARK}other:${key === null ? "nil" : typeof key}`;
}

/** The key behind the name of a property that `makeKeyName` made. */
export function readKeyName(name: string): KeyName {
  if (!name.startsWith(MARK)) return { kind: "text", text: name };
  const colon = name.indexOf(":");
  return { kind: name.slice(MARK.length, colon) as KeyKind, text: name.slice(colon + 1) };
}

/** The name of the property whose key is these bytes. */
export function makeBytesKeyName(text: string): string {
  return `${MARK}bytes:${text}`;
}
