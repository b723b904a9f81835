import { isFlag, isListOf, isShape, isText, parseJson } from "../../base/shape.ts";
import type { Divergence } from "./list-divergences.ts";

/** What an assistant reports that has followed a document. */
export interface AgentReport {
  readonly passed: boolean;
  readonly divergences: readonly Divergence[];
}

/** A report is short: what is further from the end is not looked at. */
const MOST_CHARACTERS = 262_144;
const MOST_TRIES = 2000;

const isDivergence = isShape<Divergence>({ command: isText, claim: isText, reality: isText });
const isReport = isShape<AgentReport>({ passed: isFlag, divergences: isListOf(isDivergence) });
const isObject = isShape<object>({});

/** The last JSON object in an output, if it is a report; null: there is none, or the last is something else. */
export function readReport(output: string): AgentReport | null {
  const last = findLastObject(output.slice(-MOST_CHARACTERS));
  return last === null ? null : parseJson(last, isReport);
}

/** Braces of prose stand around it and behind it; those within it end before it does. */
function findLastObject(text: string): string | null {
  let tries = 0;
  for (let end = text.lastIndexOf("}"); end !== -1; end = findBefore(text, "}", end)) {
    for (let start = findBefore(text, "{", end); start !== -1; start = findBefore(text, "{", start)) {
      const candidate = text.slice(start, end + 1);
      if (parseJson(candidate, isObject) !== null) return candidate;
      tries += 1;
      if (tries >= MOST_TRIES) return null;
    }
  }
  return null;
}

function findBefore(text: string, character: string, at: number): number {
  return at === 0 ? -1 : text.lastIndexOf(character, at - 1);
}
