import { readShellValue } from "./shell-value.ts";

/** A piece of the state file that sets at most one variable. All texts joined are the file again. */
export interface StateLine {
  readonly text: string;
  /** Where it begins, counted from 1. */
  readonly line: number;
  /** There when the piece sets a variable. */
  readonly name?: string;
  readonly value?: string;
  /** It seems to set a variable of this name, but to what only a shell could tell. */
  readonly unread?: string;
}

type Piece = Pick<StateLine, "name" | "value" | "unread"> & { readonly end: number };

/**
 * Takes the text of a state file apart: assignments, `export` or `declare -x` before them or not, several on a line or
 * one, with every way of quoting that shells and `printf %q` have. Any other text is kept as it is and means nothing.
 * Nothing is run.
 */
export function parseStateLines(text: string): StateLine[] {
  const lines: StateLine[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    for (const { end, ...set } of readCommand(text, at)) {
      const part = text.slice(at, end);
      lines.push({ ...set, text: part, line });
      line += part.split("\n").length - 1;
      at = end;
    }
  }
  return lines;
}

/** Attributes that leave a value as it is. */
const OPENING = /[ \t]*(?:(export|declare|typeset|readonly)(?:[ \t]+(?:-[gxr]+|--))*[ \t]+)?/y;
const HEAD = /([A-Za-z_]\w*)=/y;
const NAME_ALONE = /[A-Za-z_]\w*(?=[\s;]|$)/y;
/** What may follow a value at the end of its line: a semicolon, white space, a comment. */
const LINE_END = /[ \t]*;?[ \t]*(?:(?<=[\s;])#[^\n]*)?\r?(?:\n|$)/y;
const COMMAND_END = /[ \t]*;(?!;)[ \t]*/y;
const BLANKS = /[ \t]+/y;

/** One command, up to its semicolon or the end of its line. */
function readCommand(text: string, at: number): Piece[] {
  const opening = match(OPENING, text, at);
  const declares = opening?.[1] !== undefined;
  const pieces: Piece[] = [];
  let place = at + (opening?.[0].length ?? 0);
  for (;;) {
    const word = readAssignment(text, place) ?? (declares ? readNameAlone(text, place) : null);
    if (word === null) return listUnread(text, at, place);
    const end = match(LINE_END, text, word.end) ?? match(COMMAND_END, text, word.end);
    const gap = end ?? match(BLANKS, text, word.end);
    if (gap === null) return listUnread(text, at, word.end);
    place = word.end + gap[0].length;
    pieces.push({ ...word, end: place });
    if (end !== null) return pieces;
  }
}

function readAssignment(text: string, at: number): Piece | null {
  const head = match(HEAD, text, at);
  const read = head === null ? null : readShellValue(text, at + head[0].length);
  return read === null ? null : { name: head?.[1], value: read.value, end: read.end };
}

function readNameAlone(text: string, at: number): Piece | null {
  const name = match(NAME_ALONE, text, at);
  return name === null ? null : { end: at + name[0].length };
}

const SET_SOMEHOW = /(?<=^|[\s;{(])([A-Za-z_]\w*)[ \t]*[:+]?=/g;

/** The rest of the line, and what was read beyond it: every name that it may set, so that none is missed in silence. */
function listUnread(text: string, at: number, reached: number): Piece[] {
  const newline = text.indexOf("\n", at);
  const end = Math.max(newline === -1 ? text.length : newline + 1, reached);
  const said = text.slice(at, end).replace(/(?<=^|\s)#.*/g, (comment) => " ".repeat(comment.length));
  const found = [...said.matchAll(SET_SOMEHOW)];
  if (found.length === 0) return [{ end }];
  return found.map((one, index) => ({ unread: one[1], end: at + (found[index + 1]?.index ?? end - at) }));
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
