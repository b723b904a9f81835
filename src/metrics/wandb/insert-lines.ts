import type { InsertionPoint } from "./insertion-point.ts";
import { BYTE_ORDER_MARK, MARK } from "./marks.ts";

/** Lines of ours, indented by 4 spaces a level, and where they go. */
export interface Insertion {
  at: InsertionPoint;
  lines: string[];
}

/** The text with marked lines put in, in its own indentation and line ends. Of insertions at one place and depth the first comes first. */
export function insertLines(text: string, insertions: Insertion[]): string {
  const start = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const lines = text.slice(start.length).split("\n");
  const unit = findUnit(lines);
  const hasEnd = lines.at(-1) === "";
  const end = lines[0]?.endsWith("\r") ? "\r" : "";
  // What ends an inner block comes before what follows that block.
  const byRow = [...insertions].sort(
    (a, b) => a.at.row - b.at.row || b.at.indent.length - a.at.indent.length,
  );
  const result: string[] = [];
  let next = 0;
  for (let row = 0; row <= lines.length; row++) {
    for (; next < byRow.length && (byRow[next]?.at.row ?? 0) === row; next++) {
      const { at, lines: ours } = byRow[next] as Insertion;
      result.push(...ours.map((line) => `${markLine(line, at.indent, unit)}${end}`));
    }
    if (row < lines.length) result.push(lines[row] ?? "");
  }
  if (hasEnd || result.length === lines.length) return start + result.join("\n");
  return start + closeLast(result, lines.at(-1) ?? "", end);
}

/** A script without a last line end stays so: where our lines come after its last line, ours has none. */
function closeLast(result: string[], last: string, end: string): string {
  if (result.at(-1) === last) return result.join("\n");
  const index = result.lastIndexOf(last);
  result[index] = `${last}${end}`;
  const ours = result.at(-1) ?? "";
  result[result.length - 1] = end === "" ? ours : ours.slice(0, -end.length);
  return result.join("\n");
}

function markLine(line: string, indent: string, unit: string): string {
  if (line === "#") return MARK;
  const depth = /^ */.exec(line)?.[0].length ?? 0;
  return `${indent}${unit.repeat(depth / 4)}${line.slice(depth)}  ${MARK}`;
}

/** What one level is in this script: the first indented line that follows a colon. */
function findUnit(lines: string[]): string {
  for (const [index, line] of lines.entries()) {
    const unit = /^[ \t]+/.exec(lines[index + 1] ?? "")?.[0];
    if (unit && /^\S.*:\s*(#.*)?$/.test(line.trimEnd())) return unit;
  }
  return "    ";
}
