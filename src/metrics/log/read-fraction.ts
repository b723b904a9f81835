import { isDigit } from "./characters.ts";
import type { NumberToken } from "./read-number.ts";

/** `10/100`, with or without spaces: where it ends, and what it is of. */
export interface Fraction {
  readonly end: number;
  readonly total: number;
}

const SLASH = 47;
const SPACE = 32;

/** The rest of a fraction that begins with this whole number; null where none follows, as in a date `10/12/2024`. */
export function readFraction(line: string, { end, isWhole }: NumberToken): Fraction | null {
  if (!isWhole) return null;
  const slash = skipSpaces(line, end);
  if (line.charCodeAt(slash) !== SLASH) return null;
  const from = skipSpaces(line, slash + 1);
  let at = from;
  while (isDigit(line.charCodeAt(at))) at += 1;
  if (at === from || at - from > 15) return null;
  const next = line.charCodeAt(at);
  if (next === SLASH || next === 46) return null;
  return { end: at, total: Number(line.slice(from, at)) };
}

function skipSpaces(line: string, from: number): number {
  let at = from;
  while (line.charCodeAt(at) === SPACE) at += 1;
  return at;
}
