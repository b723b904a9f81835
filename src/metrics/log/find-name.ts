import { isNameCharacter, isSpace } from "./characters.ts";
import type { Candidate } from "./no-metric.ts";

/** What stands before a number: the words of a name, and what separates them from it. */
export interface NameBefore {
  /** One to four words. */
  readonly phrase: string;
  readonly start: number;
  readonly separator: Candidate["separator"];
  readonly isGlued: boolean;
  /** In quotes, as the key of a dictionary: a name whatever it is made of. */
  readonly isQuoted: boolean;
}

const QUOTE = 34;
const APOSTROPHE = 39;
const CLOSING = 41;
const COLON = 58;
const WIDE_COLON = 0xff1a;
const EQUALS = 61;
/** What the columns of tables stand between: the plain bar and the drawn ones. */
const BARS = "|\u2502\u2503";
/** The other halves of `==`, `<=`, `!=`, `+=` and their kind. */
const COMPARISON = "=<>!+-*/~:";
const MOST_WORDS = 4;
const MOST_LENGTH = 80;
/** Longest text in brackets that counts to a name: `elapsed time per iteration (ms)`. */
const MOST_IN_BRACKETS = 16;

/** The name that a number at `numberStart` has; null where nothing names it. */
export function findNameBefore(line: string, numberStart: number): NameBefore | null {
  let at = skipSpacesBack(line, skipQuoteBack(line, numberStart - 1));
  if (at < 0) return null;
  const separator = readSeparator(line, at, numberStart);
  if (separator === null) return null;
  if (separator !== " ") at = skipSpacesBack(line, at - 1);
  const quote = line.charCodeAt(at);
  if ((quote === QUOTE || quote === APOSTROPHE) && separator !== " ") return findQuoted(line, at, separator);
  const end = at + 1;
  const word = findWordStart(line, end);
  if (word === end) return null;
  const start = separator === "|" ? word : extendBack(line, word);
  const isGlued = end + 1 === numberStart;
  return { phrase: line.slice(start, end), start, separator, isGlued, isQuoted: false };
}

function readSeparator(line: string, at: number, numberStart: number): Candidate["separator"] | null {
  const code = line.charCodeAt(at);
  if (code === EQUALS) return COMPARISON.includes(line.charAt(at - 1)) && at > 0 ? null : "=";
  if (code === COLON || code === WIDE_COLON) return line.charCodeAt(at - 1) === COLON ? null : ":";
  if (at === numberStart - 1) return null;
  if (BARS.includes(line.charAt(at))) return BARS.includes(line.trimStart().charAt(0)) ? "|" : null;
  return isNameCharacter(code) || code === CLOSING ? " " : null;
}

/** `'loss': '0.5'`: the number's own quote, where it has one. */
function skipQuoteBack(line: string, at: number): number {
  const code = line.charCodeAt(at);
  return code === QUOTE || code === APOSTROPHE ? at - 1 : at;
}

function findQuoted(line: string, closing: number, separator: NameBefore["separator"]): NameBefore | null {
  const opening = findBefore(line, line.charAt(closing), closing, MOST_LENGTH);
  if (opening === -1) return null;
  const phrase = line.slice(opening + 1, closing);
  return { phrase, start: opening, separator, isGlued: false, isQuoted: true };
}

/** The place of a character before this one, not further back than so. */
function findBefore(line: string, character: string, at: number, most: number): number {
  const from = Math.max(0, at - most);
  const found = line.slice(from, at).lastIndexOf(character);
  return found === -1 ? -1 : from + found;
}

/** Where the word begins that ends here, brackets at its end with it. */
function findWordStart(line: string, end: number): number {
  let at = end;
  if (line.charCodeAt(at - 1) === CLOSING) {
    const opening = findBefore(line, "(", at - 1, MOST_IN_BRACKETS);
    if (opening === -1) return end;
    at = skipSpacesBack(line, opening - 1) + 1;
  }
  const least = Math.max(0, end - MOST_LENGTH);
  const wordEnd = at;
  while (at > least && isNameCharacter(line.charCodeAt(at - 1))) at -= 1;
  return at === wordEnd ? end : at;
}

/** Further back over words of letters that only a space separates. */
function extendBack(line: string, wordStart: number): number {
  let start = wordStart;
  for (let words = 1; words < MOST_WORDS; words += 1) {
    if (line.charCodeAt(start - 1) !== 32) break;
    let at = start - 1;
    if (line.startsWith("'s", at - 2)) return findWordStart(line, at - 2);
    while (at > 0 && isLetter(line.charCodeAt(at - 1))) at -= 1;
    if (at === start - 1 || (at > 0 && !startsWord(line.charCodeAt(at - 1)))) break;
    start = at;
  }
  return start;
}

/** What a word may follow: not a digit, a dot or a slash, of which it would be the tail. */
function startsWord(before: number): boolean {
  return !isNameCharacter(before);
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}

function skipSpacesBack(line: string, from: number): number {
  let at = from;
  while (at >= 0 && isSpace(line.charCodeAt(at))) at -= 1;
  return at;
}
