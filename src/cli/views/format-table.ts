import { makePrintable } from "../../base/printable.ts";
import type { Io } from "../io.ts";

const GAP = "  ";

/** A column gives room to others down to this. */
const LEAST_WIDTH = 8;

/** Where no terminal is, nothing is cut: another program reads it. */
export function findTableWidth({ rows, columns }: Pick<Io, "rows" | "columns">): number {
  return rows === null ? Number.POSITIVE_INFINITY : columns;
}

/**
 * Rows under a header, no wider than the terminal: the longest cells are shortened first, so that every column is seen; what has
 * no room even so is cut at the end.
 */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
): string[] {
  if (rows.length === 0) return [];
  const table = [header, ...rows.map((row) => row.map(makeCell))].map((row) =>
    row.map((cell) => Array.from(cell)),
  );
  const widths = fitWidths(
    header.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))),
    columns - GAP.length * (header.length - 1),
  );
  return table.map((row) => {
    const line = row
      .map((cell, column) => fill(cell, widths[column] ?? 0))
      .join(GAP)
      .trimEnd();
    return cut(Array.from(line), columns);
  });
}

/** Takes from the widest columns what there is too much, and from none more than it can spare. */
function fitWidths(widths: readonly number[], room: number): number[] {
  const fitted = [...widths];
  for (;;) {
    const widest = Math.max(...fitted);
    const excess = fitted.reduce((sum, width) => sum + width, 0) - room;
    if (excess <= 0 || widest <= LEAST_WIDTH) return fitted;
    fitted[fitted.indexOf(widest)] = widest - 1;
  }
}

function fill(characters: readonly string[], width: number): string {
  return cut(characters, width) + " ".repeat(Math.max(0, width - characters.length));
}

function cut(characters: readonly string[], width: number): string {
  if (characters.length <= width) return characters.join("");
  return `${characters.slice(0, width - 1).join("")}…`;
}

/** On one line, whatever it holds. */
function makeCell(text: string): string {
  return makePrintable(text.replaceAll("\t", " ").replaceAll("\n", "\\n"));
}
