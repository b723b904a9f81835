import { makePrintable } from "../../base/printable.ts";
import { wrapText } from "../../base/wrap.ts";
import { findMetrics } from "../../metrics/compare/find-metrics.ts";
import { judgeSeries } from "../../metrics/compare/judge-series.ts";
import { drawTerminal } from "../../metrics/draw/draw-terminal.ts";
import { encodeNumber } from "../../metrics/encode-number.ts";
import { type Series, sumUpSeries } from "../../metrics/series/series.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";
import { chooseTelling } from "./choose-metrics.ts";
import { type LoadedMetrics, loadMetrics } from "./load-metrics.ts";
import { countValues } from "./merge-series.ts";

/** What is to be shown of a run's metrics. */
export interface ShowWish {
  /** These, in this order; empty: the most telling ones. */
  readonly metrics: readonly string[];
  /** Columns of the terminal. */
  readonly width: number;
  /** ASCII alone. */
  readonly isPlain: boolean;
}

const MOST_CHARTS = 6;
const WIDEST = 100;
const ROWS = 4;

/** Small charts as lines of text, then what is odd about them. @throws metric_unknown */
export async function drawMetrics(
  desk: Desk,
  run: RunRecord,
  { metrics, width, isPlain }: ShowWish,
): Promise<string[]> {
  const { series, notes } = await loadQuietly(desk, run);
  const known = [...series.keys()];
  const shown = metrics.length > 0 ? findMetrics(metrics, known) : chooseTelling(known, MOST_CHARTS);
  const charts = shown.flatMap((metric) => {
    const course = series.get(metric) as Series;
    const flags = judgeSeries(course).map(({ text }) => `  ! ${text}`);
    // A single value has no course, nor has one that never changes.
    if (isFlat(course)) return ["", `  ${drawTerminal(course, { width: width - 2 })[0]}`, ...flags];
    const options = { width: Math.min(width, WIDEST) - 2, height: ROWS, isPlain };
    return ["", ...drawTerminal(course, options).map((line) => `  ${line}`), ...flags];
  });
  const wrap = (text: string) => wrapText(makePrintable(text), width, "    ", "  ");
  const left = known.filter((metric) => !shown.includes(metric));
  return [
    ...charts,
    ...(metrics.length > 0 || left.length === 0
      ? []
      : ["", ...wrap(`more metrics (--metric): ${left.join(", ")}`)]),
    ...notes.flatMap((note) => wrap(`note: ${note}`)),
  ];
}

function isFlat(course: Series): boolean {
  const sum = sumUpSeries(course);
  return countValues(course) < 2 || (sum !== null && sum.notFinite === 0 && sum.min === sum.max);
}

/** By name; NaN and infinities are texts of these names. */
export async function describeMetrics(desk: Desk, run: RunRecord, wanted: readonly string[]) {
  const { series, notes } = await loadQuietly(desk, run);
  const known = [...series.keys()];
  const names = wanted.length > 0 ? findMetrics(wanted, known) : known;
  const entries = names.map((name) => [name, describeSeries(series.get(name) as Series)] as const);
  return { metrics: Object.fromEntries(entries), metricNotes: notes };
}

function describeSeries(series: Series) {
  const sum = sumUpSeries(series);
  const encode = (value: number | null | undefined) => (value == null ? null : encodeNumber(value));
  return {
    last: encode(sum?.last),
    min: encode(sum?.min),
    max: encode(sum?.max),
    steps: sum?.lastStep ?? null,
    values: sum?.count ?? 0,
    flags: judgeSeries(series),
  };
}

/** Of a fleet's agent nobody reads numbers; of a run that cannot be read the rest is shown all the same. */
async function loadQuietly(desk: Desk, run: RunRecord): Promise<LoadedMetrics> {
  if (run.seat) return { series: new Map(), notes: [] };
  return loadMetrics(desk, run);
}
