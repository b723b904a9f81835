import { limitProblems, type MetricFile } from "./metric-file.ts";
import { parseCsv } from "./parse-csv.ts";
import { makeRowPoints } from "./row-points.ts";

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const WORD = /^([+-]?)(?:(nan)|inf(?:inity)?)$/i;

/** A table with a header, a row a step; empty cells are no numbers. A last row that is not whole yet is left out. */
export function readCsvMetrics(text: string): MetricFile {
  const { delimiter, records } = parseCsv(text);
  const [header = [], ...rows] = records;
  if (!header.some((name) => name.trim() !== "" && readNumber(name, delimiter) === null))
    return { points: [], problems: ["its first line is no header"] };
  const names = header.map((name) => name.trim());
  const problems: string[] = [];
  const points = rows.flatMap((row, index) => {
    if (row.length !== names.length) {
      if (index < rows.length - 1)
        problems.push(`row ${index + 2} has ${row.length} cells, not ${names.length}`);
      return [];
    }
    return makeRowPoints(
      names.flatMap((name, column) => {
        const cell = (row[column] as string).trim();
        return name === "" || cell === "" ? [] : [[name, readNumber(cell, delimiter) ?? cell] as const];
      }),
    );
  });
  return { points, problems: limitProblems(problems) };
}

function readNumber(text: string, delimiter: string): number | null {
  const cell = text.trim();
  if (NUMBER.test(cell)) return Number(cell);
  const [, sign, nan] = WORD.exec(cell) ?? [];
  if (sign !== undefined) return nan === undefined ? Number(`${sign}Infinity`) : Number.NaN;
  // Where a comma is no delimiter, it may be the point of a number.
  return delimiter !== "," && NUMBER.test(cell.replace(",", ".")) ? Number(cell.replace(",", ".")) : null;
}
