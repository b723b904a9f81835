import { findMetrics } from "../../metrics/compare/find-metrics.ts";
import { type Curve, drawPanels } from "../../metrics/draw/draw-svg.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";
import { loadRunNow } from "../find-runs.ts";
import { chooseTelling } from "./choose-metrics.ts";
import { loadMetrics } from "./load-metrics.ts";
import { countValues } from "./merge-series.ts";
import { choosePlace, writePicture } from "./write-picture.ts";

export interface PlotWish {
  /** Ids, names or their starts. */
  readonly runs: readonly string[];
  /** Empty: the most telling ones. */
  readonly metrics: readonly string[];
  /** null: a file named by the first run, which must not be there yet. */
  readonly out: string | null;
  readonly cwd: string;
}

export interface Plot {
  readonly file: string;
  readonly metrics: readonly string[];
  readonly notes: readonly string[];
}

const MOST_PANELS = 4;

/** Draws a panel for each metric, with a curve for each run that has it. @throws run_unknown, metric_unknown; as `writePicture` */
export async function plotRuns(desk: Desk, wish: PlotWish): Promise<Plot> {
  const named: RunRecord[] = [];
  for (const name of wish.runs) named.push(await loadRunNow(desk, name));
  const records = [...new Map(named.map((run) => [run.id, run])).values()];
  const place = choosePlace(wish.out, (records[0] as RunRecord).name, wish.cwd);
  const loaded: { name: string; metrics: Awaited<ReturnType<typeof loadMetrics>> }[] = [];
  for (const run of records)
    loaded.push({ name: nameCurve(run, records), metrics: await loadMetrics(desk, run) });
  const known = [...new Set(loaded.flatMap(({ metrics }) => [...metrics.series.keys()]))];
  const hasCourse = known.filter((metric) =>
    loaded.some(({ metrics: { series } }) => countValues(series.get(metric)) > 1),
  );
  const metrics =
    wish.metrics.length > 0
      ? findMetrics(wish.metrics, known)
      : chooseTelling(hasCourse.length > 0 ? hasCourse : known, MOST_PANELS);
  if (metrics.length === 0) findMetrics(["loss"], known);
  const panels = metrics.map((metric) => ({
    title: metric,
    curves: loaded.flatMap(({ name, metrics: { series } }): Curve[] => {
      const course = series.get(metric);
      return course === undefined ? [] : [{ name, series: course }];
    }),
  }));
  await writePicture(place, drawPanels(panels));
  const notes = loaded.flatMap(({ name, metrics: { notes } }) => notes.map((note) => `${name}: ${note}`));
  return { file: place.file, metrics, notes };
}

function nameCurve({ id, name }: RunRecord, all: readonly RunRecord[]): string {
  return all.filter((other) => other.name === name).length === 1 ? name : `${name} (${id})`;
}
