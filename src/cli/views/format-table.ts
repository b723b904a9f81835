import { makePrintable } from "../../base/printable.ts";

/** Rows under a header, no wider than the terminal; what has no room is cut at the end. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
): string[] {
  if (rows.length === 0) return [];
  const table = [header, ...rows.map((row) => row.map(makeCell))];
  const widths = header.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) => {
    const line = row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
    return line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;
  });
}

/** On one line, whatever it holds. */
function makeCell(text: string): string {
  return makePrintable(text.replaceAll("\t", " ").replaceAll("\n", "\\n"));
}
