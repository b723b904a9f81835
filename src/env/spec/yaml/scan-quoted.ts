import { isBlankOrEnd, isBreak } from "./cursor.ts";
import type { ScanState } from "./scan-state.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  "\t": "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  " ": " ",
  '"': '"',
  "\\": "\\",
  "/": "/",
  N: "\u0085",
  _: "\u00a0",
  L: "\u2028",
  P: "\u2029",
};

const DIGITS_OF_ESCAPE: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** The value of the quoted scalar that begins here; its lines are folded, and need no indentation. */
export function scanQuoted(state: ScanState): string {
  const { cursor } = state;
  const firstLine = cursor.line + 1;
  const quote = cursor.take(1);
  let text = scanWords(state, quote);
  while (cursor.peek() !== quote) {
    text += scanBlanks(state, firstLine);
    text += scanWords(state, quote);
  }
  cursor.skip();
  return text;
}

/** Up to a blank, a line's end or the closing quote. */
function scanWords(state: ScanState, quote: string): string {
  const { cursor } = state;
  let text = "";
  for (;;) {
    text += cursor.takeWhile(
      (char) => !isBlankOrEnd(char) && char !== quote && !(quote === '"' && char === "\\"),
    );
    if (quote === "'" && cursor.peek() === "'" && cursor.peek(1) === "'") {
      cursor.skip(2);
      text += "'";
    } else if (quote === '"' && cursor.peek() === "\\") text += scanEscape(state);
    else return text;
  }
}

function scanEscape(state: ScanState): string {
  const { cursor } = state;
  cursor.skip();
  const char = cursor.peek();
  const line = cursor.line + 1;
  if (isBreak(char)) {
    cursor.takeBreak();
    return scanBreaks(state);
  }
  const known = Object.hasOwn(ESCAPES, char) ? ESCAPES[char] : undefined;
  const count = Object.hasOwn(DIGITS_OF_ESCAPE, char) ? DIGITS_OF_ESCAPE[char] : undefined;
  cursor.skip();
  if (known !== undefined) return known;
  if (count === undefined) throw state.refuse(line, `there is no escape \\${char} in double quotes`);
  const digits = cursor.take(count);
  if (!/^[0-9A-Fa-f]+$/.test(digits) || digits.length !== count)
    throw state.refuse(line, `\\${char} needs ${count} hexadecimal digits`);
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff) throw state.refuse(line, `there is no character \\${char}${digits}`);
  return String.fromCodePoint(code);
}

/** Blanks between words; a line's end is a blank, each further one stays. */
function scanBlanks(state: ScanState, firstLine: number): string {
  const { cursor } = state;
  const blanks = cursor.takeWhile((char) => char === " " || char === "\t");
  if (isBreak(cursor.peek())) {
    const first = cursor.takeBreak();
    const more = scanBreaks(state);
    if (first !== "\n") return first + more;
    return more === "" ? " " : more;
  }
  if (cursor.peek() === "\0") throw state.refuse(firstLine, "the closing quote is missing");
  return blanks;
}

function scanBreaks(state: ScanState): string {
  const { cursor } = state;
  let breaks = "";
  for (;;) {
    if (cursor.isAtDocumentMark())
      throw state.refuse(cursor.line + 1, "a document begins or ends inside quotes");
    cursor.takeWhile((char) => char === " " || char === "\t");
    if (!isBreak(cursor.peek())) return breaks;
    breaks += cursor.takeBreak();
  }
}
