import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { isObject } from "../../base/shape.ts";

/** A row of a reply; keys that nothing asks for may be there. */
export type Row = Readonly<Record<string, unknown>>;

/** Texts of the vendor are shown to people, so they are short and cannot move a cursor. */
const MOST_TEXT = 2_000;

/** @throws SortieError `vast_reply_unreadable` */
export function needRow(value: unknown, what: string): Row {
  if (!isObject(value)) throw makeUnreadable(`${what} is no object`);
  return value;
}

/** @throws SortieError `vast_reply_unreadable` */
export function needList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw makeUnreadable(`${what} is no list`);
  return value;
}

/** @throws SortieError `vast_reply_unreadable`, which names the key */
export function needNumber(row: Row, key: string, what: string): number {
  const number = readNumber(row[key]);
  if (number === null) throw makeUnreadable(`\`${key}\` of ${what} is ${describe(row[key])}, not a number`);
  return number;
}

/** An id: whole, above 0. @throws SortieError `vast_reply_unreadable`, which names the key */
export function needId(row: Row, key: string, what: string): number {
  const number = needNumber(row, key, what);
  if (!Number.isSafeInteger(number) || number <= 0) throw makeUnreadable(`\`${key}\` of ${what} is no id`);
  return number;
}

/** Dollars per hour, never below 0. @throws SortieError `vast_reply_unreadable`, which names the key */
export function needPrice(row: Row, key: string, what: string): number {
  const price = needNumber(row, key, what);
  if (price < 0) throw makeUnreadable(`\`${key}\` of ${what} is below 0`);
  return price;
}

/** @throws SortieError `vast_reply_unreadable`, which names the key */
export function needText(row: Row, key: string, what: string): string {
  const text = readText(row[key]);
  if (text === null) throw makeUnreadable(`\`${key}\` of ${what} is ${describe(row[key])}, not a text`);
  return text;
}

/** A number, or the text of one, as some rows have it; anything else is null. */
export function readNumber(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** Without white space around it, printable and bounded; null where there is none. */
export function readText(value: unknown): string | null {
  if (typeof value !== "string" || value.trim() === "") return null;
  return makePrintable(value.trim().slice(0, MOST_TEXT));
}

export function makeUnreadable(what: string): SortieError {
  return new SortieError("vast_reply_unreadable", { what });
}

function describe(value: unknown): string {
  return value === undefined || value === null ? "missing" : `of another kind (${typeof value})`;
}
