import { makePrintable } from "../../base/printable.ts";
import { measureWidth } from "../../base/text-width.ts";
import { wrapText } from "../../base/wrap.ts";

const LABEL_WIDTH = 12;
/** A target may have a long name; then it alone sticks out. */
const WIDEST_LABEL = 24;

/** A line of what a doctor saw. */
export interface ShownFinding {
  readonly what: string;
  readonly level: string;
  readonly detail: string;
  /** What shows it. */
  readonly evidence?: string;
  readonly advice: string | null;
}

/** Level, subject and what was found; below it what shows it and what to do, which those that are well need not say. */
export function formatFindings(findings: readonly ShownFinding[], columns: number): string[] {
  const labelWidth = Math.max(LABEL_WIDTH, ...findings.map(({ what }) => measureWidth(what)));
  return findings.flatMap((finding) => formatFinding(finding, Math.min(labelWidth, WIDEST_LABEL), columns));
}

function formatFinding(
  { what, level, detail, evidence, advice }: ShownFinding,
  labelWidth: number,
  columns: number,
): string[] {
  const label = `  ${level.padEnd(8)} ${what.padEnd(labelWidth)} `;
  const indent = " ".repeat(label.length);
  const width = Math.max(columns, label.length + 30);
  const isTold = evidence !== undefined || level !== "ok";
  return [
    ...wrapText(makePrintable(detail), width, indent, label),
    ...(evidence ? wrapText(makePrintable(`seen: ${evidence}`), width, indent) : []),
    ...(advice && isTold ? wrapText(makePrintable(advice), width, indent) : []),
  ];
}
