/** A column of a table: its heading, its cell of each row, and how soon it is left out where there is no room for it. */
export interface Column<Row> {
  readonly heading: string;
  readonly show: (row: Row) => string;
  readonly isNumber?: boolean;
  /** 0: never. Of those with a higher number, the last goes first. */
  readonly spare?: number;
}

const GAP = "  ";

/** A table no wider than the terminal: columns are left out as they are spared, and what is still too long is cut. */
export function fitTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): string[] {
  const spares = [...new Set(columns.map(({ spare = 0 }) => spare))].sort((one, other) => other - one);
  let lines: string[] = [];
  for (const spare of spares) {
    lines = makeLines(
      rows,
      columns.filter((column) => (column.spare ?? 0) <= spare),
    );
    if (lines.every((line) => line.length <= width)) return lines;
  }
  return lines.map((line) => (line.length <= width ? line : `${line.slice(0, width - 1)}…`));
}

function makeLines<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  const cells = columns.map(({ heading, show }) => [heading, ...rows.map(show)]);
  const widths = cells.map((column) => Math.max(...column.map(({ length }) => length)));
  return [undefined, ...rows].map((_, line) =>
    columns
      .map(({ isNumber }, index) => {
        const cell = cells[index]?.[line] ?? "";
        return isNumber ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0);
      })
      .join(GAP)
      .trimEnd(),
  );
}
