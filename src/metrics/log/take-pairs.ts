import { addMetric, addPosition, type LineReading } from "./line-reading.ts";
import { hasMetricWord } from "./metric-words.ts";
import type { NameJudge } from "./name-judge.ts";
import { findPosition } from "./position-names.ts";

/** An entry of a dictionary: `prefix` is the way to its key. A number, a text, or a text that is a number. */
export interface DictPair {
  readonly prefix: string;
  readonly key: string;
  readonly value: number | null;
  readonly text: string | null;
  /** A text of JSON, which may be a version or an id: its key must tell that it is a metric. */
  readonly isDoubtful: boolean;
}

const TIME_KEY = /^_?timestamp$|^time$|^ts$|^date$/i;
const ZONED = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/;
/** A number of these is seconds since 1970, between 2001 and 2286; a thousand times as much is milliseconds. */
const EPOCH_SECONDS = [1e9, 1e10] as const;

/** Takes what the entries say: metrics, step and epoch, and the time. */
export function takePairs(pairs: readonly DictPair[], judge: NameJudge, reading: LineReading): void {
  for (const { prefix, key, value, text, isDoubtful } of pairs) {
    if (prefix === "" && TIME_KEY.test(key)) reading.atMs ??= readTime(value, text);
    if (value === null) continue;
    const position = findPosition(key);
    if (position !== null) addPosition(reading, position, value);
    else if (!isDoubtful || !Number.isFinite(value) || hasMetricWord(key))
      takeNumber(prefix + key, value, judge, reading);
  }
}

function takeNumber(name: string, value: number, judge: NameJudge, reading: LineReading): void {
  const verdict = judge(
    { phrase: name, start: 0, separator: ":", isGlued: false, isQuoted: true },
    { isWhole: Number.isInteger(value), before: "", after: "", unit: "" },
  );
  if (verdict.kind === "metric") addMetric(reading, verdict.name, value);
}

/** A time as a number or as a text with its zone, in milliseconds since 1970; null where it tells none. */
export function readTime(value: number | null, text: string | null): number | null {
  if (text !== null) {
    const atMs = ZONED.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isFinite(atMs) ? atMs : null;
  }
  if (value === null) return null;
  const [least, most] = EPOCH_SECONDS;
  if (value >= least && value < most) return Math.round(value * 1000);
  return value >= least * 1000 && value < most * 1000 ? Math.round(value) : null;
}
