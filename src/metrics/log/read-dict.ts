import { isBreak, isSpace, isWordCharacter } from "./characters.ts";
import { readNumber, readWord } from "./read-number.ts";
import type { DictPair } from "./take-pairs.ts";

const QUOTE = 34;
const APOSTROPHE = 39;
const OPENING = 40;
const COMMA = 44;
const DOT = 46;
const COLON = 58;
const BRACKET = 91;
const BACKSLASH = 92;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;
const MOST_DEPTH = 8;
const MOST_PAIRS = 2_000;

interface Cursor {
  readonly line: string;
  readonly pairs: DictPair[];
  at: number;
}

/**
 * The numbers of a dictionary that begins at `start`, as JSON or as Python prints it: either quotes, `NaN`, `None`,
 * `tensor(0.5)`. Names of inner ones are joined by `/`; lists are passed over. Null where it is no dictionary, or not whole.
 */
export function readDict(line: string, start: number): { end: number; pairs: readonly DictPair[] } | null {
  const cursor: Cursor = { line, pairs: [], at: start };
  return readPairs(cursor, "", 0) ? { end: cursor.at, pairs: cursor.pairs } : null;
}

function readPairs(cursor: Cursor, prefix: string, depth: number): boolean {
  cursor.at += 1;
  if (skipSpaces(cursor) === CLOSING_BRACE) return skip(cursor);
  while (cursor.pairs.length < MOST_PAIRS) {
    const isPythons = skipSpaces(cursor) === APOSTROPHE;
    const key = readString(cursor);
    if (key === null || skipSpaces(cursor) !== COLON) return false;
    cursor.at += 1;
    if (!readValue(cursor, { prefix, key, isPythons }, depth)) return false;
    const next = skipSpaces(cursor);
    cursor.at += 1;
    if (next === CLOSING_BRACE) return true;
    if (next !== COMMA) return false;
    if (skipSpaces(cursor) === CLOSING_BRACE) return skip(cursor);
  }
  return false;
}

interface Key {
  readonly prefix: string;
  readonly key: string;
  readonly isPythons: boolean;
}

function readValue(cursor: Cursor, { prefix, key, isPythons }: Key, depth: number): boolean {
  const code = skipSpaces(cursor);
  if (code === OPENING_BRACE) {
    return depth < MOST_DEPTH && readPairs(cursor, `${prefix}${key}/`, depth + 1);
  }
  if (code === QUOTE || code === APOSTROPHE) {
    const text = readString(cursor);
    if (text !== null)
      cursor.pairs.push({ prefix, key, value: readNumberIn(text), text, isDoubtful: !isPythons });
    return text !== null;
  }
  if (code === BRACKET || code === OPENING) return skipNested(cursor);
  const number = readBareNumber(cursor);
  if (number !== null) cursor.pairs.push({ prefix, key, value: number, text: null, isDoubtful: false });
  else skipBare(cursor);
  return true;
}

/** A number as text, as Python's newer trainers print it. */
function readNumberIn(text: string): number | null {
  const token = readNumber(text, 0) ?? readWord(text, 0);
  return token === null || token.end !== text.length ? null : token.value;
}

function readBareNumber(cursor: Cursor): number | null {
  const { line, at } = cursor;
  const inner = skipWrapper(line, at);
  const token = readNumber(line, inner) ?? readWord(line, inner);
  if (token === null || (token.end < line.length && !isBreak(line.charCodeAt(token.end)))) return null;
  cursor.at = token.end;
  if (inner > at) {
    cursor.at = inner - 1;
    return skipNested(cursor) ? token.value : null;
  }
  return token.value;
}

/** Into `tensor(`, `np.float64(`: a call whose first argument is a number. */
function skipWrapper(line: string, start: number): number {
  let at = start;
  while (isWordCharacter(line.charCodeAt(at)) || line.charCodeAt(at) === DOT) at += 1;
  return at > start && line.charCodeAt(at) === OPENING ? at + 1 : start;
}

/** Past `None`, `True`, and whatever else is no number. */
function skipBare(cursor: Cursor): void {
  while (cursor.at < cursor.line.length) {
    const code = cursor.line.charCodeAt(cursor.at);
    if (code === COMMA || code === CLOSING_BRACE) return;
    if (code === OPENING) skipNested(cursor);
    else cursor.at += 1;
  }
}

/** Past a list, a tuple or the arguments of a call, with all that they hold. */
function skipNested(cursor: Cursor): boolean {
  const { line } = cursor;
  let depth = 0;
  while (cursor.at < line.length) {
    const character = line.charAt(cursor.at);
    if (character === '"' || character === "'") {
      if (readString(cursor) === null) return false;
      continue;
    }
    cursor.at += 1;
    if ("([{".includes(character)) depth += 1;
    else if (")]}".includes(character)) depth -= 1;
    if (depth === 0) return true;
  }
  return false;
}

function readString(cursor: Cursor): string | null {
  const { line, at } = cursor;
  const quote = line.charCodeAt(at);
  if (quote !== QUOTE && quote !== APOSTROPHE) return null;
  let isEscaped = false;
  for (let end = at + 1; end < line.length; end += 1) {
    const code = line.charCodeAt(end);
    if (code === BACKSLASH) {
      isEscaped = true;
      end += 1;
    } else if (code === quote) {
      cursor.at = end + 1;
      return isEscaped ? decodeEscapes(line.slice(at + 1, end)) : line.slice(at + 1, end);
    }
  }
  return null;
}

function decodeEscapes(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, hex: string | undefined, character: string) =>
    hex === undefined ? character : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The first character that is no space. */
function skipSpaces(cursor: Cursor): number {
  while (isSpace(cursor.line.charCodeAt(cursor.at))) cursor.at += 1;
  return cursor.line.charCodeAt(cursor.at);
}

function skip(cursor: Cursor): true {
  cursor.at += 1;
  return true;
}
