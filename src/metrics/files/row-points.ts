import { isObject } from "../../base/shape.ts";
import { findPosition } from "../log/position-names.ts";
import { readTime } from "../log/take-pairs.ts";
import { type MetricPoint, MOST_NAME_LENGTH } from "../metric-point.ts";

/** A row of a table of metrics: names with what stands in them, in their order. */
export type Row = Iterable<readonly [string, unknown]>;

const TIME = /^_?timestamp$|^time$|^wall_?time$|^date(?:time)?$/i;
/** W&B's own columns. */
const INNER = /^_(?:runtime|wandb)(?:\/|$)/;
const WORDS = new Set(["NaN", "Infinity", "-Infinity"]);
const MOST_DEPTH = 8;

/** Every number of a row as a point at the row's step, epoch and time. Inner objects are joined to their key by `/`. */
export function makeRowPoints(row: Row): MetricPoint[] {
  const numbers: [string, number][] = [];
  const place: { step: number | null; epoch: number | null; atMs: number | null } = {
    step: null,
    epoch: null,
    atMs: null,
  };
  for (const [name, value] of listCells(row)) {
    const number = readNumber(value);
    const position = findPosition(name);
    if (position !== null) place[position] ??= number !== null && Number.isFinite(number) ? number : null;
    else if (TIME.test(name)) place.atMs ??= readTime(number, typeof value === "string" ? value : null);
    else if (number !== null && !INNER.test(name) && name.length <= MOST_NAME_LENGTH)
      numbers.push([name, number]);
  }
  return numbers.map(([metric, value]) => ({ metric, value, ...place }));
}

function listCells(row: Row, prefix = "", depth = 0): [string, unknown][] {
  return Array.from(row).flatMap(([name, value]) =>
    isObject(value) && depth < MOST_DEPTH
      ? listCells(Object.entries(value), `${prefix}${name}/`, depth + 1)
      : [[`${prefix}${name}`, value] as [string, unknown]],
  );
}

/** A number, or the word for one that JSON has none for; null for all else. */
export function readNumber(value: unknown): number | null {
  if (typeof value === "number") return value;
  return typeof value === "string" && WORDS.has(value) ? Number(value) : null;
}
