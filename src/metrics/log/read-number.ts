import { isDigit } from "./characters.ts";

/** A number in a line: what lies from `start` to `end`, and what it means. */
export interface NumberToken {
  readonly start: number;
  readonly end: number;
  readonly value: number;
  /** Written without point and exponent. */
  readonly isWhole: boolean;
}

const DOT = 46;
const COMMA = 44;
const PLUS = 43;
const MINUS = 45;
/** More digits than these are no exponent but a hash that holds an `e`. */
const MOST_EXPONENT_DIGITS = 3;

/**
 * The number that begins at this place: `-0.5`, `.5`, `1.2e-4`, `1,234,567`. Null where none does. What may follow it is
 * not judged here.
 */
export function readNumber(line: string, start: number): NumberToken | null {
  const first = line.charCodeAt(start);
  const isSigned = first === PLUS || first === MINUS;
  const from = isSigned ? start + 1 : start;
  const whole = skipDigits(line, from);
  let end = whole;
  if (line.charCodeAt(whole) === DOT) {
    end = skipDigits(line, whole + 1);
    if (end === whole + 1 && whole === from) return null; // a dot alone
    if (end === whole + 1) end = isSentenceEnd(line, whole) ? whole : end;
  }
  if (end === from) return isSigned ? readWord(line, from, start) : null;
  const mantissa = end;
  end = skipExponent(line, mantissa);
  if (end === whole && line.charCodeAt(end) === COMMA) {
    const grouped = readGroups(line, start, end);
    if (grouped !== null) return grouped;
  }
  return { start, end, value: Number(line.slice(start, end)), isWhole: end === whole };
}

/** `nan`, `inf` or `infinity` in any case, as the word that begins here; the caller knows that a word does. */
export function readWord(line: string, from: number, start = from): NumberToken | null {
  const code = line.charCodeAt(from) | 32;
  if (code !== 110 && code !== 105) return null; // n, i
  const word = /^(?:nan|infinity|inf)(?![\w.])/i.exec(line.slice(from, from + 9))?.[0];
  if (word === undefined) return null;
  const size = word.length === 3 && code === 110 ? Number.NaN : Number.POSITIVE_INFINITY;
  const value = line.charCodeAt(start) === MINUS ? -size : size;
  return { start, end: from + word.length, value, isWhole: false };
}

function skipDigits(line: string, from: number): number {
  let at = from;
  while (isDigit(line.charCodeAt(at))) at += 1;
  return at;
}

/** `5.` before a space or at the end is a number and the end of a sentence. */
function isSentenceEnd(line: string, dot: number): boolean {
  return dot + 1 === line.length || line.charCodeAt(dot + 1) <= 32;
}

function skipExponent(line: string, from: number): number {
  if ((line.charCodeAt(from) | 32) !== 101) return from; // e
  const sign = line.charCodeAt(from + 1);
  const digits = sign === PLUS || sign === MINUS ? from + 2 : from + 1;
  const end = skipDigits(line, digits);
  return end > digits && end - digits <= MOST_EXPONENT_DIGITS ? end : from;
}

/** `1,234,567`, all groups of three; null where the comma means something else. */
function readGroups(line: string, start: number, comma: number): NumberToken | null {
  if (comma - start > 4) return null;
  let end = comma;
  while (line.charCodeAt(end) === COMMA && skipDigits(line, end + 1) === end + 4) end += 4;
  if (end === comma || (line.charCodeAt(end) === COMMA && isDigit(line.charCodeAt(end + 1)))) return null;
  return { start, end, value: Number(line.slice(start, end).replaceAll(",", "")), isWhole: true };
}
