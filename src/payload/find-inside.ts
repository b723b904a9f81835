import { makePrintable } from "../base/printable.ts";
import { readKeyName } from "./key-names.ts";
import { isExt, isMap } from "./unpack.ts";

export interface Found<Hit> {
  /** Where it lies, as a person would write it: `result.left_arm.values[3]`; empty for the value itself. */
  readonly path: string;
  readonly hit: Hit;
}

/**
 * The first map, list or ext value, from the outside in, over which `look` returns something. The path is put together
 * only for a hit, so that looking through a thousand numbers costs next to nothing.
 */
export function findInside<Hit>(
  value: unknown,
  look: (value: unknown) => Hit | undefined,
): Found<Hit> | undefined {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return undefined;
  const hit = look(value);
  if (hit !== undefined) return { path: "", hit };
  if (isExt(value)) return undefined;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = findInside<Hit>(item, look);
      if (found !== undefined) return { path: joinPath(`[${index}]`, found.path), hit: found.hit };
    }
    return undefined;
  }
  for (const [key, item] of Object.entries(value)) {
    const found = findInside<Hit>(item, look);
    if (found !== undefined) return { path: joinPath(showKey(key), found.path), hit: found.hit };
  }
  return undefined;
}

/** `arm`, `[3]` and `.x` in one: `arm[3].x`. */
export function joinPath(outer: string, inner: string): string {
  return inner === "" || inner.startsWith("[") || outer === "" ? outer + inner : `${outer}.${inner}`;
}

/** A map key for people. */
export function showKey(name: string): string {
  const { kind, text } = readKeyName(name);
  const shown = makePrintable(text.slice(0, 60));
  return kind === "bytes" ? `b"${shown}"` : shown;
}

/** A value for people, in a few words. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (typeof value === "string") return `the text "${makePrintable(value.slice(0, 40))}"`;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
    return String(value);
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  return isMap(value) ? "a map" : "an ext value";
}
