import { isBreak } from "./characters.ts";
import { clearReading, type LineReading } from "./line-reading.ts";
import type { NameJudge } from "./name-judge.ts";
import { readDict } from "./read-dict.ts";
import { scanText } from "./scan-text.ts";
import { takePairs } from "./take-pairs.ts";

/** A brace after which no dictionary stands costs a look at the whole line. */
const MOST_FAILURES = 4;
const STAMP = /^\W?(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))? ?(Z|[+-]\d\d:?\d\d)\b/;

/** Reads one line into `reading`: its dictionaries as such, and the text round them. */
export function readLine(line: string, judge: NameJudge, reading: LineReading): void {
  clearReading(reading);
  reading.atMs = readStamp(line);
  let from = 0;
  let failures = 0;
  for (let brace = line.indexOf("{"); brace !== -1 && failures < MOST_FAILURES; ) {
    const dict = readDict(line, brace);
    if (dict === null) failures += 1;
    else {
      if (brace > from) scanText(line.slice(from, brace), judge, reading);
      takePairs(dict.pairs, judge, reading);
      from = dict.end;
    }
    brace = line.indexOf("{", dict?.end ?? brace + 1);
  }
  // Names in quotes belong to a dictionary: of half a one it is not known to which.
  const judgeRest = failures === 0 ? judge : refuseQuoted(judge);
  if (from < line.length) scanText(from === 0 ? line : line.slice(from), judgeRest, reading);
  reading.step ??= reading.counter;
}

function refuseQuoted(judge: NameJudge): NameJudge {
  return (name, surroundings) => (name.isQuoted ? { kind: "nothing" } : judge(name, surroundings));
}

/** Without the last word of a line whose end is missing: of a number it would be the first digits. */
export function dropCutWord(line: string): string {
  let end = line.length;
  while (end > 0 && !isBreak(line.charCodeAt(end - 1))) end -= 1;
  return line.slice(0, end);
}

/** The time at the beginning of a line, where it says its zone. */
function readStamp(line: string): number | null {
  if (line.charCodeAt(4) !== 45 && line.charCodeAt(5) !== 45) return null;
  const match = STAMP.exec(line);
  if (match === null) return null;
  const [, date, time, fraction = "0", zone] = match;
  const atMs = Date.parse(`${date}T${time}.${fraction.slice(0, 3)}${zone}`);
  return Number.isFinite(atMs) ? atMs : null;
}
