import type { Position } from "./position-names.ts";

const NAMED = /(?:^|[^A-Za-z])(epoch|step|iter(?:ation)?)s?(?:\([a-z]+\))?\s*:?\s*\[\s*$/i;
const AFTER_BRACKET = /\]:?\s*\[\s*$/;
const LOOK_BACK = 32;

/**
 * What a number in brackets counts: `Epoch [3/100]` its own name's, the second of `Epoch [1][50/7330]` steps, and the one
 * that boosting libraries begin a line with (`[10]` and a tab). Null for a number that is not in brackets, or tells nothing.
 */
export function findBracketPosition(
  line: string,
  start: number,
  end: number,
  hasEpoch: boolean,
): Position | null {
  const before = line.slice(Math.max(0, start - LOOK_BACK), start);
  if (!/\[\s*$/.test(before)) return null;
  const name = NAMED.exec(before)?.[1];
  if (name !== undefined) return name.toLowerCase() === "epoch" ? "epoch" : "step";
  if (hasEpoch && AFTER_BRACKET.test(before)) return "step";
  return start === 1 && line.startsWith("]\t", end) ? "step" : null;
}
