/** A number as JSON holds it: NaN and infinities as text. */
export type JsonNumber = number | "NaN" | "Infinity" | "-Infinity";

export function encodeNumber(value: number): JsonNumber {
  return Number.isFinite(value) ? value : (String(value) as JsonNumber);
}

export function decodeNumber(value: JsonNumber): number {
  return typeof value === "number" ? value : Number(value);
}

export function isJsonNumber(value: unknown): value is JsonNumber {
  return Number.isFinite(value) || value === "NaN" || value === "Infinity" || value === "-Infinity";
}
