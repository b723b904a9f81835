import { countOf } from "../../base/count-of.ts";
import { makePrintable } from "../../base/printable.ts";
import { cutToWidth, measureWidth } from "../../base/text-width.ts";
import { formatNumber } from "../format-number.ts";
import type { Bucket } from "../series/bucket.ts";
import { type Series, sumUpSeries } from "../series/series.ts";
import { chooseAxis } from "../series/series-axis.ts";
import { type DotCanvas, makeDotCanvas } from "./dot-canvas.ts";
import { findShare, formatApart, makeScale, type ValueScale } from "./value-scale.ts";

export interface TerminalChartOptions {
  /** Columns of the whole chart, labels with it; at least 24. */
  readonly width: number;
  /** Rows of the plot alone. */
  readonly height?: number;
  /** ASCII instead of braille and lines. */
  readonly isPlain?: boolean;
}

const LEAST_WIDTH = 24;
/** Columns that the labels leave to the plot and its edge. */
const LEAST_PLOT = 12;
const HEIGHT = 6;

/**
 * A series as lines of text: a title with its numbers, the curve, and its axis. The upper and lower label are the largest and the
 * smallest value there is; each stretch is drawn from its smallest to its largest value. NaN and infinities are gaps.
 */
export function drawTerminal(
  series: Series,
  { width, height = HEIGHT, isPlain = false }: TerminalChartOptions,
): string[] {
  const columns = Math.max(width, LEAST_WIDTH);
  const title = cutToWidth(describeSeries(series), columns);
  const scale = makeScale(series.buckets.flatMap(({ min, max }) => [min ?? Number.NaN, max ?? Number.NaN]));
  if (scale === null) return [title];
  const labels = makeLabels(scale, columns - LEAST_PLOT);
  const gutter = Math.max(...labels.map(measureWidth));
  const canvas = makeDotCanvas(columns - gutter - 2, Math.max(height, 2));
  drawCurve(canvas, series, scale);
  const rows = canvas.show(isPlain);
  const edge = isPlain ? "|" : "┤";
  const lines = rows.map((row, index) => {
    const label = index === 0 ? labels[0] : index === rows.length - 1 ? labels[1] : "";
    return `${(label ?? "").padStart(gutter)} ${edge}${row}`.trimEnd();
  });
  return [title, ...lines, `${" ".repeat(gutter + 2)}${describeAxis(series, columns - gutter - 2)}`];
}

/** The edges in as many digits as tell them apart; in fewer where there is no room for these. */
function makeLabels({ min, max }: ValueScale, room: number): string[] {
  const labels = formatApart([max, min]);
  return labels.every((label) => label.length <= room) ? labels : [max, min].map(formatNumber);
}

/** `loss  0.41, min 0.4, max 2.3, 1200 values, 3 of them NaN or infinite`. */
function describeSeries(series: Series): string {
  const sum = sumUpSeries(series);
  const name = makePrintable(series.metric).replace(/[\n\t]/g, " ");
  if (sum === null) return `${name}  no values`;
  const edges = sum.min === null ? [] : [`min ${formatNumber(sum.min)}`, `max ${formatNumber(sum.max)}`];
  const odd = sum.notFinite === 0 ? [] : [`${sum.notFinite} of them NaN or infinite`];
  return `${name}  ${[formatNumber(sum.last), ...edges, countOf(sum.count, "value"), ...odd].join(", ")}`;
}

function drawCurve(canvas: DotCanvas, series: Series, scale: ValueScale): void {
  const { places, end } = chooseAxis(series);
  const start = places[0] as number;
  const findX = (place: number) =>
    end === start ? 0 : Math.round(findShare({ min: start, max: end }, place) * (canvas.width - 1));
  const findY = (value: number) => Math.round(findShare(scale, value) * (canvas.height - 1));
  let before: { x: number; y: number } | null = null;
  for (const [index, bucket] of series.buckets.entries()) {
    const x = findX(places[index] as number);
    const drawn = drawBucket(canvas, bucket, x, findY);
    if (before !== null && drawn !== null) canvas.line(before.x, before.y, x, drawn);
    before = drawn === null ? null : { x, y: drawn };
  }
}

/** Where the line goes on from; null for a gap. */
function drawBucket(
  canvas: DotCanvas,
  bucket: Bucket,
  x: number,
  findY: (value: number) => number,
): number | null {
  const { min, max, last } = bucket;
  if (min === null || max === null) return null;
  canvas.line(x, findY(min), x, findY(max));
  return Number.isFinite(last) ? findY(last) : null;
}

/** `step 0          1200`: the places of the first and the last point. */
function describeAxis(series: Series, width: number): string {
  const { kind, places, end } = chooseAxis(series);
  const left = `${kind} ${formatPlace(places[0] as number)}`;
  const right = formatPlace(end);
  const room = width - left.length - right.length;
  return end === places[0] || room < 1 ? cutToWidth(left, width) : `${left}${" ".repeat(room)}${right}`;
}

/** Steps are told whole, however many. */
function formatPlace(place: number): string {
  return Number.isInteger(place) ? String(place) : String(Number(place.toFixed(3)));
}
