import { RE2JS } from "re2js";
import { describeFault, SortieError } from "../../base/error.ts";
import { MOST_NAME_LENGTH } from "../metric-point.ts";
import { addMetric, addPosition, clearReading, type LineReading } from "./line-reading.ts";
import { findPosition } from "./position-names.ts";
import { readNumber, readWord } from "./read-number.ts";

/** Reads a line by a person's pattern; whether it matched. */
export type UserPattern = (line: string, reading: LineReading) => boolean;

/** More matches in one line are not looked for. */
const MOST_MATCHES = 100;

/**
 * A regular expression with named groups: `step (?<step>\d+) .* L=(?<loss>\S+)`, Python's `(?P<loss>…)` too. A group is a
 * metric of its name, or the step or epoch; groups `name` and `value` make a metric named by the line. RE2's syntax: no
 * look-around and no back-references, and so never more time than the line is long. Fails with `metric_pattern_bad`.
 */
export function makeUserPattern(text: string): UserPattern {
  const pattern = compile(text);
  const groups = Object.keys(pattern.namedGroups());
  const isPair = groups.includes("name") && groups.includes("value");
  if (!isPair && groups.every((group) => findPosition(group) !== null))
    throw new SortieError("metric_pattern_bad", {
      pattern: text,
      reason: groups.length === 0 ? "it names no group" : "it names no group that is a metric",
    });
  return (line, reading) => {
    const matcher = pattern.matcher(line);
    clearReading(reading);
    let matches = 0;
    while (matches < MOST_MATCHES && matcher.find()) {
      matches += 1;
      for (const group of groups) {
        if (isPair && group === "name") continue;
        const name = isPair && group === "value" ? matcher.group("name") : group;
        takeGroup(name, matcher.group(group), reading);
      }
    }
    return matches > 0;
  };
}

function compile(text: string) {
  try {
    return RE2JS.compile(text);
  } catch (fault) {
    const reason = describeFault(fault).replace(/^error parsing regexp: /, "");
    throw new SortieError("metric_pattern_bad", { pattern: text, reason }, fault);
  }
}

function takeGroup(name: string | null, text: string | null, reading: LineReading): void {
  if (name === null || name === "" || name.length > MOST_NAME_LENGTH || text === null) return;
  const token = readNumber(text, 0) ?? readWord(text, 0);
  if (token === null || (token.end < text.length && text.slice(token.end) !== "%")) return;
  const position = findPosition(name);
  if (position === null) addMetric(reading, name, token.value);
  else addPosition(reading, position, token.value);
}
