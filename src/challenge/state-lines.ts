import { readShellValue } from "./shell-value.ts";

/** A line of the state file, or several where a quoted value goes on. All texts joined are the file again. */
export interface StateLine {
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
  /** There when the line sets a variable. */
  readonly name?: string;
  readonly value?: string;
  /** It sets a variable of this name, but to what only a shell could tell. */
  readonly unread?: string;
}

/**
 * Takes the text of a state file apart: lines `NAME=value`, `export` before them or not, with every way of quoting that
 * shells and `printf %q` have. Any other line is kept as it is and means nothing. Nothing is run.
 */
export function parseStateLines(text: string): StateLine[] {
  const lines: StateLine[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const read = readLine(text, at);
    const part = text.slice(at, read.end);
    lines.push({ ...read.set, text: part, line });
    line += part.split("\n").length - 1;
    at = read.end;
  }
  return lines;
}

const HEAD = /[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)=/y;
/** What may follow a value on its line: a semicolon, white space, a comment. */
const REST = /[ \t]*;?[ \t]*(?:(?<=[\s;])#[^\n]*)?\r?(?:\n|$)/y;

function readLine(
  text: string,
  at: number,
): { end: number; set: Pick<StateLine, "name" | "value" | "unread"> } {
  const newline = text.indexOf("\n", at);
  const plain = newline === -1 ? text.length : newline + 1;
  HEAD.lastIndex = at;
  const head = HEAD.exec(text);
  if (head === null) return { end: plain, set: {} };
  const name = head[1] as string;
  const read = readShellValue(text, HEAD.lastIndex);
  if (read === null) return { end: plain, set: { unread: name } };
  REST.lastIndex = read.end;
  if (!REST.test(text)) return { end: Math.max(plain, read.end), set: { unread: name } };
  return { end: REST.lastIndex, set: { name, value: read.value } };
}
