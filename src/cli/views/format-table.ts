import { makePrintable } from "../../base/printable.ts";
import { cutToWidth, measureWidth } from "../../base/text-width.ts";
import type { Io } from "../io.ts";

/** A column of a table: its heading, its cell of each row, and how soon it is left out where there is no room for it. */
export interface Column<Row> {
  readonly heading: string;
  readonly show: (row: Row) => string;
  readonly isNumber?: boolean;
  /** 0: never. Of those with a higher number, the last goes first. */
  readonly spare?: number;
}

const GAP = "  ";

/** A column gives room to others down to this. */
const LEAST_WIDTH = 8;

/** Where no terminal is, nothing is cut: another program reads it. */
export function findTableWidth({ rows, columns }: Pick<Io, "rows" | "columns">): number {
  return rows === null ? Number.POSITIVE_INFINITY : columns;
}

/**
 * Rows under their headings, no wider than the terminal: columns are left out as they are spared, then the longest cells are
 * shortened, so that every other column is seen; what has no room even so is cut at the end.
 */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): string[] {
  if (rows.length === 0) return [];
  const filled = columns.map((column) => ({ ...column, cells: listCells(rows, column) }));
  const shown = spareColumns(filled, width);
  const widths = fitWidths(shown.map(findWidth), width - measureGaps(shown));
  return [undefined, ...rows].map((_, line) => {
    const cells = shown.map(({ cells, isNumber }, index) =>
      fill(cells[line] ?? "", widths[index] ?? 0, isNumber),
    );
    return cutToWidth(cells.join(GAP).trimEnd(), width, "…");
  });
}

interface FilledColumn {
  readonly spare?: number;
  readonly isNumber?: boolean;
  readonly cells: readonly string[];
}

function listCells<Row>(rows: readonly Row[], { heading, show }: Column<Row>): string[] {
  return [heading, ...rows.map(show)].map(makeCell);
}

/** As many columns as fit; where not even those do that are never spared, these. */
function spareColumns(columns: readonly FilledColumn[], width: number): readonly FilledColumn[] {
  const spares = [...new Set(columns.map(({ spare = 0 }) => spare))].sort((one, other) => other - one);
  const choices = spares.map((most) => columns.filter(({ spare = 0 }) => spare <= most));
  const fits = (choice: readonly FilledColumn[]) =>
    choice.reduce((sum, column) => sum + findWidth(column), measureGaps(choice)) <= width;
  return choices.find(fits) ?? choices.at(-1) ?? [];
}

function findWidth({ cells }: FilledColumn): number {
  return Math.max(...cells.map(measureWidth));
}

function measureGaps(columns: readonly FilledColumn[]): number {
  return GAP.length * (columns.length - 1);
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

function fill(cell: string, width: number, isNumber = false): string {
  const shown = cutToWidth(cell, width, "…");
  const blanks = " ".repeat(Math.max(0, width - measureWidth(shown)));
  return isNumber ? blanks + shown : shown + blanks;
}

/** On one line, whatever it holds. */
function makeCell(text: string): string {
  return makePrintable(text.replaceAll("\t", " ").replaceAll("\n", "\\n"));
}
