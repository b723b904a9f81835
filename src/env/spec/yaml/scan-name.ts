import { isBlankOrEnd, isBreak, isBreakOrEnd, isSpaceOrEnd } from "./cursor.ts";
import type { ScanState, Token } from "./scan-state.ts";

const NAME = /^[0-9A-Za-z_-]$/;
const OF_ADDRESS = /^[0-9A-Za-z\-;/?:@&=+$,_.!~*'()[\]%]$/;

/** The name behind `&` or `*`. */
export function scanAnchorName(state: ScanState): string {
  const { cursor } = state;
  const line = cursor.line + 1;
  const mark = cursor.take(1);
  const name = cursor.takeWhile((char) => NAME.test(char));
  if (name === "" || !(isBlankOrEnd(cursor.peek()) || "?:,]}%@`".includes(cursor.peek())))
    throw state.refuse(line, `letters, digits, - and _ make a name behind ${mark}`);
  return name;
}

/** `!`, `!name`, `!!name`, `!handle!name` or `!<name>`. */
export function scanTag(state: ScanState): Pick<Token, "handle" | "text"> {
  const { cursor } = state;
  const tag = scanTagParts(state);
  if (!isSpaceOrEnd(cursor.peek())) throw state.refuse(cursor.line + 1, "a blank is missing behind a tag");
  return tag;
}

/** A line that begins with `%`; only YAML and TAG mean something. */
export function scanDirective(state: ScanState): Pick<Token, "text" | "values"> {
  const { cursor } = state;
  const line = cursor.line + 1;
  cursor.skip();
  const text = cursor.takeWhile((char) => NAME.test(char));
  if (text === "" || !isSpaceOrEnd(cursor.peek())) throw state.refuse(line, "a name is missing behind %");
  let values: readonly string[] = [];
  if (text === "YAML") values = [scanVersion(state)];
  else if (text === "TAG") values = scanTagRule(state);
  else cursor.takeWhile((char) => !isBreak(char));
  cursor.skipSpaces();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.peek())) throw state.refuse(line, `%${text} is followed by more than it takes`);
  cursor.takeBreak();
  return { text, values };
}

function scanTagParts(state: ScanState): { handle: string | null; text: string } {
  const { cursor } = state;
  const next = cursor.peek(1);
  if (isBlankOrEnd(next)) {
    cursor.skip();
    return { handle: null, text: "!" };
  }
  if (next === "<") {
    cursor.skip(2);
    const text = scanAddress(state);
    if (cursor.peek() !== ">") throw state.refuse(cursor.line + 1, "the > of a tag is missing");
    cursor.skip();
    return { handle: null, text };
  }
  const handle = hasHandle(state) ? scanHandle(state) : cursor.take(1);
  return { handle, text: scanAddress(state) };
}

/** Whether a second `!` comes before the next blank. */
function hasHandle(state: ScanState): boolean {
  for (let ahead = 1; !isSpaceOrEnd(state.cursor.peek(ahead)); ahead += 1)
    if (state.cursor.peek(ahead) === "!") return true;
  return false;
}

function scanHandle(state: ScanState): string {
  const { cursor } = state;
  if (cursor.peek() !== "!") throw state.refuse(cursor.line + 1, "a handle of tags begins with !");
  cursor.skip();
  if (cursor.peek() === " ") return "!";
  const name = cursor.takeWhile((char) => NAME.test(char));
  if (cursor.peek() !== "!") throw state.refuse(cursor.line + 1, "a handle of tags ends with !");
  cursor.skip();
  return `!${name}!`;
}

function scanAddress(state: ScanState): string {
  const { cursor } = state;
  const line = cursor.line + 1;
  const written = cursor.takeWhile((char) => OF_ADDRESS.test(char));
  if (written === "") throw state.refuse(line, "a tag's name is missing or holds a character that it cannot");
  try {
    return written.replace(/(?:%[0-9A-Fa-f]{2})+|%/g, decodeURIComponent);
  } catch (fault) {
    if (!(fault instanceof URIError)) throw fault;
    throw state.refuse(line, `%HH in the tag ${written} is no UTF-8`);
  }
}

function scanVersion(state: ScanState): string {
  const { cursor } = state;
  cursor.skipSpaces();
  const version = cursor.takeWhile((char) => /^[0-9.]$/.test(char));
  if (!/^[0-9]+\.[0-9]+$/.test(version) || !isSpaceOrEnd(cursor.peek()))
    throw state.refuse(cursor.line + 1, "%YAML is followed by a version, such as 1.1");
  return version;
}

function scanTagRule(state: ScanState): readonly string[] {
  const { cursor } = state;
  cursor.skipSpaces();
  const handle = scanHandle(state);
  if (cursor.peek() !== " ")
    throw state.refuse(cursor.line + 1, "%TAG is followed by a handle and an address");
  cursor.skipSpaces();
  const address = scanAddress(state);
  if (!isSpaceOrEnd(cursor.peek()))
    throw state.refuse(cursor.line + 1, "more than an address stands in %TAG");
  return [handle, address];
}
