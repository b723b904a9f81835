import { makePrintable } from "../../base/printable.ts";
import { wrapText } from "../../base/wrap.ts";

/** A fact a line, its label before it; null: it is left out. */
export type Fact = readonly [label: string, value: string | null];

const INDENT = 12;

export function formatFacts(facts: readonly Fact[], columns: number): string[] {
  const width = Math.max(columns, INDENT + 30);
  return facts.flatMap(([label, value]) =>
    value === null ? [] : wrapText(makeLine(value), width, " ".repeat(INDENT), label.padEnd(INDENT)),
  );
}

/** Text from outside on one line. */
export function makeLine(text: string): string {
  return makePrintable(text.trim().replace(/\s+/g, " "));
}
