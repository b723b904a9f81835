import { MOST_NAME_LENGTH } from "../metric-point.ts";
import type { NameBefore } from "./find-name.ts";
import { hasMetricWord, isQualifier, isSpokenMetric } from "./metric-words.ts";
import { findNoMetricRule } from "./no-metric.ts";
import { findPosition, type Position } from "./position-names.ts";

/** What the name before a number says of it. */
export type NameVerdict =
  | {
      readonly kind: "metric";
      readonly name: string;
      /** The name itself tells that it is a metric. */
      readonly isKnown: boolean;
      /** `9829/10000` after this name is a share. */
      readonly isAccuracy: boolean;
    }
  | { readonly kind: Position }
  | { readonly kind: "nothing" };

/** How the number stands in its line, beside its name: see `Candidate`. */
export interface NumberSurroundings {
  readonly isWhole: boolean;
  readonly before: string;
  readonly after: string;
  readonly unit: string;
}

export type NameJudge = (name: NameBefore, surroundings: NumberSurroundings) => NameVerdict;

const NOTHING: NameVerdict = { kind: "nothing" };
const ACCURACY = /acc|correct|precision|recall|success/i;
/** Before a name, these tell nothing that a rule asks for. */
const PLAIN_BEFORE = " \t,;|([{'\"";
/** A log that never repeats a name must not fill the memory. */
const MOST_KEPT = 4_000;

/** Judges names, and remembers its verdicts: a log says the same few names again and again. */
export function makeNameJudge(): NameJudge {
  const kept = new Map<string, Map<string, NameVerdict>>();
  return (name, surroundings) => {
    if (name.phrase.length > MOST_NAME_LENGTH) return NOTHING;
    if (!isPlain(surroundings)) return judgeName(name, surroundings);
    const verdicts = findOrMake(kept, describeWay(name, surroundings.isWhole));
    const known = verdicts.get(name.phrase);
    if (known !== undefined) return known;
    if (verdicts.size >= MOST_KEPT) verdicts.clear();
    const verdict = judgeName(name, surroundings);
    verdicts.set(name.phrase, verdict);
    return verdict;
  };
}

/** Whether the verdict is the same wherever the name stands so. */
function isPlain({ before, after, unit }: NumberSurroundings): boolean {
  return unit === "" && after !== "%" && after !== ":" && (before === "" || PLAIN_BEFORE.includes(before));
}

/** One of a dozen constants: no text is made for each number. */
function describeWay({ separator, isGlued, isQuoted }: NameBefore, isWhole: boolean): string {
  if (isQuoted) return isWhole ? '"n' : '"';
  if (separator === " ") return isWhole ? " n" : " ";
  if (separator === "|") return isWhole ? "|n" : "|";
  if (separator === "=") return isWhole ? "=n" : "=";
  if (isGlued) return isWhole ? ":gn" : ":g";
  return isWhole ? ":n" : ":";
}

function findOrMake(kept: Map<string, Map<string, NameVerdict>>, way: string): Map<string, NameVerdict> {
  const verdicts = kept.get(way);
  if (verdicts !== undefined) return verdicts;
  const made = new Map<string, NameVerdict>();
  kept.set(way, made);
  return made;
}

function judgeName(before: NameBefore, surroundings: NumberSurroundings): NameVerdict {
  const position = findPositionNamed(before);
  if (position !== null) return position === "epoch" || surroundings.isWhole ? { kind: position } : NOTHING;
  const words = before.isQuoted ? [before.phrase] : chooseWords(before, surroundings.isWhole);
  const name = words.join("_").replace(/[^\p{L}\p{N}_)%]+$/u, "");
  if (!/\p{L}/u.test(name) || !/^[\p{L}_<]/u.test(name)) return NOTHING;
  const refusal = findNoMetricRule({
    name,
    separator: before.separator,
    isGlued: before.isGlued,
    ...surroundings,
  });
  if (refusal !== null) return NOTHING;
  return { kind: "metric", name, isKnown: hasMetricWord(name), isAccuracy: ACCURACY.test(name) };
}

function findPositionNamed({ phrase, isQuoted }: NameBefore): Position | null {
  if (isQuoted) return findPosition(phrase);
  return findPosition(phrase) ?? findPosition(phrase.slice(phrase.lastIndexOf(" ") + 1));
}

/** The words of the phrase that make the name; none where the phrase only says something in a sentence. */
function chooseWords({ phrase, separator }: NameBefore, isWhole: boolean): string[] {
  const words = phrase.replace(/ *(\([^)]*\))$/, "$1").split(" ");
  const last = words.at(-1) as string;
  if (words.length === 1 && isWhole && isQualifier(last) && !hasMetricWord(last)) return [];
  if (separator === " " ? isSpokenMetric(last) : hasMetricWord(last)) {
    const start = words.findLastIndex((word, at) => at < words.length - 1 && !mayQualify(word));
    return words.slice(start + 1).map((word) => word.replace(/'s$/, ""));
  }
  if (separator === "=") return [last];
  return separator !== " " && words.length === 1 ? words : [];
}

/** `best val loss`, `valid_0's binary_logloss`. */
function mayQualify(word: string): boolean {
  return word.endsWith("'s") || isQualifier(word);
}
