import { findBracketPosition } from "./bracket-position.ts";
import { isBreak, isDigit, isSpace, isWordCharacter } from "./characters.ts";
import { findNameBefore } from "./find-name.ts";
import { addMetric, addPosition, type LineReading } from "./line-reading.ts";
import type { NameJudge, NameVerdict } from "./name-judge.ts";
import { isNumberEnd } from "./no-metric.ts";
import { readFraction } from "./read-fraction.ts";
import { type NumberToken, readNumber, readWord } from "./read-number.ts";

const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const COLON = 58;
const OPENING = 40;
const CLOSING = 41;
const BRACKET = 91;
/** Glued to these, digits are a part of something: `foo-3`, `acc@5`, `a/3`, `1.2.3`. */
const JOINTS = "-+./@\\$~^";
/** Calls that show a number and no settings: `tensor(0.5, device='cuda:0')`. */
const WRAPPER = /(?:(?:np|numpy|jnp|torch)\.)?(?:tensor|[Aa]rray|float16|float32|float64)\($/;
const LONGEST_WRAPPER = 16;
const SECTION = /^(?:train|training|val|valid|validation|test|eval|evaluation|dev)$/i;

/**
 * Finds names with their numbers in a line that is no dictionary, and where it stands in the training. Goes from number
 * to number and looks back from each for its name, by a bounded way: takes time linear in the line.
 */
export function scanText(line: string, judge: NameJudge, reading: LineReading): void {
  let section = "";
  for (let at = 0; at < line.length; ) {
    const code = line.charCodeAt(at);
    if (isNumberStart(line, at, code)) {
      at = takeNumber(line, at, readNumber(line, at), { judge, reading, section });
    } else if (isWordCharacter(code)) {
      const end = skipWord(line, at);
      const word = end - at === 3 || end - at === 8 ? readWord(line, at) : null;
      if (word !== null) at = takeNumber(line, at, word, { judge, reading, section });
      else {
        if (isSection(line, at, end)) section = `${line.slice(at, end).toLowerCase()}/`;
        at = end;
      }
    } else if (code === OPENING && at > 0 && isWordCharacter(line.charCodeAt(at - 1))) {
      at = skipCall(line, at);
    } else at += 1;
  }
}

interface Taker {
  readonly judge: NameJudge;
  readonly reading: LineReading;
  readonly section: string;
}

/** Takes the number for what it is, if anything; where to go on. */
function takeNumber(line: string, at: number, token: NumberToken | null, taker: Taker): number {
  if (token === null) return at + 1;
  const fraction = readFraction(line, token);
  const end = fraction?.end ?? token.end;
  if (!isNumberEnd(line, end)) return skipGlued(line, end);
  const verdict = judgeNumber(line, token, end, taker);
  const { reading } = taker;
  if (verdict.kind === "metric") takeMetric(verdict, token, fraction?.total ?? null, taker);
  else if (verdict.kind !== "nothing") addPosition(reading, verdict.kind, token.value);
  else takeUnnamed(line, token, fraction?.total ?? null, reading);
  return end;
}

function judgeNumber(line: string, token: NumberToken, end: number, { judge }: Taker): NameVerdict {
  const name = findNameBefore(line, findOuterStart(line, token.start));
  if (name === null) return { kind: "nothing" };
  const before = name.start === 0 ? "" : line.charAt(name.start - 1);
  const surroundings = { isWhole: token.isWhole, before, after: line.charAt(end), unit: "" };
  const verdict = judge(name, surroundings);
  if (verdict.kind !== "metric" || verdict.isKnown) return verdict;
  const unit = readUnit(line, end);
  return unit === "" ? verdict : judge(name, { ...surroundings, unit });
}

function takeMetric(
  { name, isAccuracy }: { name: string; isAccuracy: boolean },
  { value }: NumberToken,
  total: number | null,
  { reading, section }: Taker,
): void {
  if (total !== null && !(isAccuracy && total > 0)) return;
  addMetric(reading, section === "" ? name : section + name, total === null ? value : value / total);
}

/** A number that nothing names may be the counter of the line. */
function takeUnnamed(line: string, token: NumberToken, total: number | null, reading: LineReading): void {
  if (!token.isWhole) return;
  const bracketed = findBracketPosition(line, token.start, token.end, reading.epoch !== null);
  if (bracketed !== null) addPosition(reading, bracketed, token.value);
  else if (total !== null && token.value <= total) reading.counter ??= token.value;
  else if (token.start === 0 && line.startsWith(":\t", token.end)) addPosition(reading, "step", token.value);
}

function isNumberStart(line: string, at: number, code: number): boolean {
  if (isDigit(code)) return at === 0 || !JOINTS.includes(line.charAt(at - 1));
  if (code !== MINUS && code !== PLUS && code !== DOT) return false;
  const next = line.charCodeAt(at + 1);
  const begins =
    isDigit(next) || (code !== DOT && (next === DOT || (next | 32) === 105 || (next | 32) === 110));
  if (!begins || at === 0) return begins;
  const before = line.charCodeAt(at - 1);
  return !isWordCharacter(before) && before !== CLOSING && !JOINTS.includes(line.charAt(at - 1));
}

/** Where the number begins for its name: before the call that shows it, if there is one. */
function findOuterStart(line: string, start: number): number {
  if (line.charCodeAt(start - 1) !== OPENING) return start;
  const wrapper = WRAPPER.exec(line.slice(Math.max(0, start - LONGEST_WRAPPER), start))?.[0];
  return wrapper === undefined ? start : start - wrapper.length;
}

/** `val: loss 0.4, acc 0.9`, `[val] loss 0.4`: the word goes for all that follows. */
function isSection(line: string, start: number, end: number): boolean {
  const next = line.charCodeAt(end);
  const isHead =
    next === COLON &&
    line.charCodeAt(end + 1) === 32 &&
    !isNumberStart(line, end + 2, line.charCodeAt(end + 2));
  const isBracketed = next === 93 && line.charCodeAt(start - 1) === BRACKET;
  return (isHead || isBracketed) && SECTION.test(line.slice(start, end));
}

/** Past the settings in `Adam(lr=0.1)`; into what only shows a number. */
function skipCall(line: string, opening: number): number {
  if (WRAPPER.test(line.slice(Math.max(0, opening + 1 - LONGEST_WRAPPER), opening + 1))) return opening + 1;
  let depth = 0;
  for (let at = opening; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code === OPENING) depth += 1;
    else if (code === CLOSING) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return line.length;
}

function skipWord(line: string, from: number): number {
  let at = from + 1;
  while (isWordCharacter(line.charCodeAt(at))) at += 1;
  return at;
}

/** Past the rest of a time, a version, an address. */
function skipGlued(line: string, from: number): number {
  let at = from;
  while (at < line.length && !isBreak(line.charCodeAt(at))) at += 1;
  return Math.max(at, from);
}

/** The word after a number and a space, where it is short and nothing else hangs on it. */
function readUnit(line: string, end: number): string {
  if (line.charCodeAt(end) !== 32) return "";
  const from = end + 1;
  let at = from;
  while (at - from < 8 && (isWordCharacter(line.charCodeAt(at)) || line.charAt(at) === "/")) at += 1;
  const isAlone = at === line.length || isSpace(line.charCodeAt(at)) || isBreak(line.charCodeAt(at));
  return isAlone ? line.slice(from, at) : "";
}
