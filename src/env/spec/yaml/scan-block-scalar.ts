import { END, isBreak, isBreakOrEnd, isSpaceOrEnd } from "./cursor.ts";
import type { ScanState } from "./scan-state.ts";

/** The value of the `|` or `>` scalar that begins here, up to the first line that is less indented. */
export function scanBlockScalar(state: ScanState): string {
  const { cursor } = state;
  const isFolded = cursor.take(1) === ">";
  const { keeps, deeper } = scanHeader(state);
  const least = Math.max(state.indent + 1, 1);
  let breaks = "";
  let indent = least + (deeper ?? 1) - 1;
  if (deeper === null) {
    const found = scanIndentation(state);
    breaks = found.breaks;
    indent = Math.max(least, found.deepest);
  } else breaks = scanBreaks(state, indent);

  let text = "";
  let lastBreak = "";
  while (cursor.column === indent && cursor.peek() !== END) {
    text += breaks;
    const isIndentedMore = isBlank(cursor.peek());
    text += cursor.takeWhile((char) => !isBreak(char));
    lastBreak = cursor.takeBreak();
    breaks = scanBreaks(state, indent);
    if (cursor.column !== indent || cursor.peek() === END) break;
    const isFoldedHere = isFolded && lastBreak === "\n" && !isIndentedMore && !isBlank(cursor.peek());
    if (!isFoldedHere) text += lastBreak;
    else if (breaks === "") text += " ";
  }
  if (keeps !== "none") text += lastBreak;
  if (keeps === "all") text += breaks;
  return text;
}

/** `+` keeps all line ends at the end, `-` none; a digit is the indentation, for texts that begin with blanks. */
function scanHeader(state: ScanState): { keeps: "all" | "one" | "none"; deeper: number | null } {
  const { cursor } = state;
  const line = cursor.line + 1;
  let keeps: "all" | "one" | "none" = "one";
  let deeper: number | null = null;
  let hasSign = false;
  for (let left = 2; left > 0; left -= 1) {
    const char = cursor.peek();
    if (!hasSign && (char === "+" || char === "-")) {
      hasSign = true;
      keeps = char === "+" ? "all" : "none";
    } else if (deeper === null && /^[0-9]$/.test(char)) {
      deeper = Number(char);
      if (deeper === 0) throw state.refuse(line, "the indentation of a block of text is 1 to 9");
    } else break;
    cursor.skip();
  }
  if (!isSpaceOrEnd(cursor.peek())) throw state.refuse(line, "only + - or 1 to 9 may stand behind | or >");
  cursor.skipSpaces();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.peek())) throw state.refuse(line, "the text begins on the line below | or >");
  cursor.takeBreak();
  return { keeps, deeper };
}

/** Empty lines in front of the text; the deepest of them and of its first line decides. */
function scanIndentation(state: ScanState): { breaks: string; deepest: number } {
  const { cursor } = state;
  let breaks = "";
  let deepest = 0;
  while (cursor.peek() === " " || isBreak(cursor.peek())) {
    if (cursor.peek() === " ") {
      cursor.skip();
      deepest = Math.max(deepest, cursor.column);
    } else breaks += cursor.takeBreak();
  }
  return { breaks, deepest };
}

function scanBreaks(state: ScanState, indent: number): string {
  const { cursor } = state;
  let breaks = "";
  for (;;) {
    while (cursor.column < indent && cursor.peek() === " ") cursor.skip();
    if (!isBreak(cursor.peek())) return breaks;
    breaks += cursor.takeBreak();
  }
}

function isBlank(char: string): boolean {
  return char === " " || char === "\t";
}
