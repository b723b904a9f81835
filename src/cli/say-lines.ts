import { makePrintable } from "../base/printable.ts";
import { wrapText } from "../base/wrap.ts";
import type { Io } from "./io.ts";
import { findTableWidth } from "./views/format-table.ts";
import { wrapRows } from "./views/wrap-rows.ts";

/** Sentences for people, broken between words on a terminal; elsewhere a line stays one. */
export function sayLines(io: Io, lines: readonly string[]): void {
  for (const line of lines.map(makePrintable)) {
    if (io.rows === null) io.say(line);
    else for (const part of wrapText(line, io.columns)) io.say(part);
  }
}

/** Lines `  label  value` whose values begin at column `indent`, broken in the same way. */
export function sayRows(io: Io, lines: readonly string[], indent = 12): void {
  for (const line of wrapRows(lines, findTableWidth(io), indent)) io.say(line);
}
