import { isBlankOrEnd, isBreak } from "./cursor.ts";
import type { ScanState } from "./scan-state.ts";

/** Whether a scalar without quotes may begin here. */
export function isPlainStart(state: ScanState): boolean {
  const char = state.cursor.peek();
  if (!isBlankOrEnd(char) && !"-?:,[]{}#&*!|>'\"%@`".includes(char)) return true;
  if (isBlankOrEnd(state.cursor.peek(1))) return false;
  return char === "-" || (state.flowLevel === 0 && (char === "?" || char === ":"));
}

/** The value of the scalar without quotes that begins here, its lines folded. */
export function scanPlain(state: ScanState): string {
  const { cursor } = state;
  const indent = state.indent + 1;
  let text = "";
  let blanks = "";
  while (cursor.peek() !== "#") {
    const length = countPlain(state);
    if (length === 0) break;
    state.allowsKey = false;
    text += blanks + cursor.take(length);
    blanks = scanBlanks(state);
    if (blanks === "" || (state.flowLevel === 0 && cursor.column < indent)) break;
  }
  return text;
}

/** How many characters belong to it up to a blank or to what ends it. */
function countPlain(state: ScanState): number {
  const { cursor } = state;
  const isInFlow = state.flowLevel > 0;
  for (let length = 0; ; length += 1) {
    const char = cursor.peek(length);
    const next = cursor.peek(length + 1);
    if (isBlankOrEnd(char)) return length;
    if (char === ":" && (isBlankOrEnd(next) || (isInFlow && ",[]{}".includes(next)))) return length;
    // PyYAML ends it at a `?` as well, where newer readers do not.
    if (isInFlow && ",?[]{}".includes(char)) return length;
  }
}

/** Blanks and line ends behind a word, folded; empty where the scalar ends. */
function scanBlanks(state: ScanState): string {
  const { cursor } = state;
  const blanks = cursor.takeWhile((char) => char === " ");
  if (!isBreak(cursor.peek())) return blanks;
  const first = cursor.takeBreak();
  state.allowsKey = true;
  if (cursor.isAtDocumentMark()) return "";
  let more = "";
  while (cursor.peek() === " " || isBreak(cursor.peek())) {
    if (cursor.peek() === " ") cursor.skip();
    else {
      more += cursor.takeBreak();
      if (cursor.isAtDocumentMark()) return "";
    }
  }
  if (first !== "\n") return first + more;
  return more === "" ? " " : more;
}
