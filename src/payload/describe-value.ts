import { makePrintable } from "../base/printable.ts";
import { readKeyName } from "./key-names.ts";
import { isMap } from "./unpack.ts";

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

/** `1 number`, `7 numbers`. */
export function countNumbers(row: readonly number[]): string {
  return row.length === 1 ? "1 number" : `${row.length} numbers`;
}
