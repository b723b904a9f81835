import { formatNumber } from "../format-number.ts";
import type { Bucket } from "../series/bucket.ts";
import { type Series, sumUpSeries } from "../series/series.ts";
import { chooseAxis, countPoints, type SeriesAxis } from "../series/series-axis.ts";
import { drawFrame, drawText, type Frame, placeX, placeY, round } from "./svg-frame.ts";
import { chooseTicks, makeScale } from "./value-scale.ts";

/** A curve and its name in the legend: a run's, or a metric's. */
export interface Curve {
  readonly name: string;
  readonly series: Series;
}

export interface SvgOptions {
  readonly width?: number;
  readonly height?: number;
  readonly title?: string;
}

/** Told apart also by people who do not see all colours (Okabe and Ito). */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"];
const WIDTH = 800;
const HEIGHT = 400;
const MARGIN = { left: 72, right: 16, top: 40, bottom: 44 };
const LEGEND_ROW = 18;

/**
 * Curves as a picture. Each is a line through the last values of its stretches, in a band from their smallest to their largest; NaN
 * and infinities are gaps, marked by a cross at the bottom. The axis is steps or epochs where all curves have them.
 */
export function drawSvg(
  curves: readonly Curve[],
  { width = WIDTH, height = HEIGHT, title = "" }: SvgOptions = {},
): string {
  const axes = chooseAxes(curves);
  const frame = makeFrame(curves, axes, width, height + LEGEND_ROW * curves.length);
  const whole = height + LEGEND_ROW * curves.length;
  const head = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${whole}" viewBox="0 0 ${width} ${whole}" font-family="sans-serif" font-size="12" fill="#222">`,
    `<rect width="${width}" height="${whole}" fill="#fff"/>`,
    drawText(MARGIN.left, 24, title, 'font-size="15"'),
  ];
  const body =
    frame === null
      ? [drawText(width / 2, height / 2, "no finite values", 'text-anchor="middle"')]
      : [
          ...drawFrame(frame, chooseTicks(frame.x, 6), chooseTicks(frame.y, 5)),
          drawText(
            frame.left + frame.width,
            frame.top + frame.height + 34,
            axes[0]?.kind ?? "",
            'text-anchor="end"',
          ),
          ...curves.flatMap(({ series }, index) =>
            drawCurve(series, axes[index] as SeriesAxis, frame, findColour(index)),
          ),
        ];
  const legend = curves.flatMap((curve, index) => drawLegend(curve, index, height));
  return `${[...head, ...body, ...legend, "</svg>"].join("\n")}\n`;
}

/** Several pictures in one, below each other. */
export function drawPanels(
  panels: readonly { readonly title: string; readonly curves: readonly Curve[] }[],
): string {
  let top = 0;
  const parts = panels.map(({ title, curves }) => {
    const part = drawSvg(curves, { title }).replace("<svg ", `<svg y="${top}" `);
    top += HEIGHT + LEGEND_ROW * curves.length;
    return part;
  });
  const size = `width="${WIDTH}" height="${top}" viewBox="0 0 ${WIDTH} ${top}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>\n${parts.join("")}</svg>\n`;
}

/** Of one kind for all: else they could not be laid over each other. */
function chooseAxes(curves: readonly Curve[]): SeriesAxis[] {
  const axes = curves.map(({ series }) => chooseAxis(series));
  const isOne = new Set(axes.map(({ kind }) => kind)).size < 2;
  return isOne ? axes : curves.map(({ series }) => countPoints(series.buckets));
}

function makeFrame(
  curves: readonly Curve[],
  axes: readonly SeriesAxis[],
  width: number,
  height: number,
): Frame | null {
  const edges = curves.flatMap(({ series }) => series.buckets.flatMap(({ min, max }) => [min, max]));
  const y = makeScale(edges.flatMap((edge) => edge ?? []));
  const x = makeScale(
    axes.flatMap(({ places, end }) => (places.length === 0 ? [] : [places[0] as number, end])),
  );
  if (x === null || y === null) return null;
  return {
    ...{ left: MARGIN.left, top: MARGIN.top, x, y },
    width: Math.max(width - MARGIN.left - MARGIN.right, 10),
    height: Math.max(height - MARGIN.top - MARGIN.bottom - LEGEND_ROW * curves.length, 10),
  };
}

function drawCurve(series: Series, { places }: SeriesAxis, frame: Frame, colour: string): string[] {
  const points = series.buckets.map((bucket, index) => ({
    bucket,
    x: placeX(frame, places[index] as number),
  }));
  const runs = splitAtGaps(points);
  const bands = runs.filter((run) => run.length > 1 && run.some(({ bucket: { min, max } }) => min !== max));
  return [
    ...bands.map((run) => `<path d="${makeBand(run, frame)}" fill="${colour}" fill-opacity="0.15"/>`),
    ...runs.map((run) =>
      run.length === 1
        ? `<circle cx="${round(run[0]?.x ?? 0)}" cy="${round(placeY(frame, readLine(run[0]?.bucket as Bucket)))}" r="2" fill="${colour}"/>`
        : `<path d="${makeLine(run, frame)}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
    ),
    ...points
      .filter(({ bucket }) => bucket.notFinite > 0)
      .map(({ x }) =>
        drawText(x, frame.top + frame.height - 3, "×", `text-anchor="middle" fill="${colour}"`),
      ),
  ];
}

type Point = { readonly bucket: Bucket; readonly x: number };

/** Stretches of points between which no value is missing. */
function splitAtGaps(points: readonly Point[]): Point[][] {
  const runs: Point[][] = [[]];
  for (const point of points) {
    if (point.bucket.min === null) runs.push([]);
    else runs.at(-1)?.push(point);
  }
  return runs.filter((run) => run.length > 0);
}

function makeLine(run: readonly Point[], frame: Frame): string {
  return `M${run.map(({ bucket, x }) => `${round(x)} ${round(placeY(frame, readLine(bucket)))}`).join("L")}`;
}

function makeBand(run: readonly Point[], frame: Frame): string {
  const upper = run.map(({ bucket, x }) => `${round(x)} ${round(placeY(frame, bucket.max as number))}`);
  const lower = run.map(({ bucket, x }) => `${round(x)} ${round(placeY(frame, bucket.min as number))}`);
  return `M${[...upper, ...lower.reverse()].join("L")}Z`;
}

/** The last value, or where that is none the smallest. */
function readLine({ last, min }: Bucket): number {
  return Number.isFinite(last) ? last : (min as number);
}

function drawLegend({ name, series }: Curve, index: number, top: number): string[] {
  const y = top + LEGEND_ROW * index + 8;
  const sum = sumUpSeries(series);
  const text = sum === null ? `${name}: no values` : `${name}: ${formatNumber(sum.last)}`;
  const odd =
    sum === null || sum.notFinite === 0 ? "" : ` (${sum.notFinite} of ${sum.count} NaN or infinite)`;
  return [
    `<rect x="${MARGIN.left}" y="${y - 9}" width="10" height="10" fill="${findColour(index)}"/>`,
    drawText(MARGIN.left + 16, y, text + odd),
  ];
}

function findColour(index: number): string {
  return COLOURS[index % COLOURS.length] as string;
}
