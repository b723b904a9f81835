import { makePrintable } from "../base/printable.ts";
import { wrapText } from "../base/wrap.ts";
import type { Io } from "./io.ts";

/** Sentences for people, broken between words on a terminal; elsewhere a line stays one. */
export function sayLines(io: Io, lines: readonly string[]): void {
  for (const line of lines.map(makePrintable)) {
    if (io.rows === null) io.say(line);
    else for (const part of wrapText(line, io.columns)) io.say(part);
  }
}
