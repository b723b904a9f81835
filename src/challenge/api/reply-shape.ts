import { SortieError } from "../../base/error.ts";

/** Makes the fault that a reader ends with; the session adds the address and how the reply begins. */
export function makeShapeFault(what: string): SortieError {
  return new SortieError("challenge_reply_wrong", { what, url: "the challenge", came: "" });
}

export type Row = Readonly<Record<string, unknown>>;

export function readRow(value: unknown, what = "the reply"): Row {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw makeShapeFault(`${what} is no object`);
  return value as Row;
}

/** A list; one that is missing or null is empty, as some servers write it. */
export function readList(value: unknown, what: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw makeShapeFault(`${what} is no list`);
  return value;
}

export function readText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** A number, or the text of one; anything else is null. */
export function readNumber(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

export function needInteger(value: unknown, what: string): number {
  const number = readNumber(value);
  if (number === null || !Number.isSafeInteger(number)) throw makeShapeFault(`${what} is no whole number`);
  return number;
}

export function needText(value: unknown, what: string): string {
  const text = readText(value);
  if (text === null) throw makeShapeFault(`${what} is no text`);
  return text;
}
