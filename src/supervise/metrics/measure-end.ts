import { findDirection } from "../../metrics/compare/metric-direction.ts";
import { type Series, sumUpSeries } from "../../metrics/series/series.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";
import { listEarlier } from "../estimate-duration.ts";
import type { Findings } from "../news/ended-notice.ts";
import { isEvaluated, listSaid, sortByWeight } from "./choose-metrics.ts";
import { loadMetrics } from "./load-metrics.ts";

/** What has ended is read to its end, once; nobody waits for it. */
const MOST_MS = 30_000;
const MOST_METRICS = 4;

/**
 * Reads the metrics of a run whose results are home by this record. `isTold`: answers with its most telling ones, and how far they are
 * from those of the newest earlier run of the same command in the same folder.
 */
export async function measureEnd(
  desk: Desk,
  run: RunRecord,
  { isTold }: { readonly isTold: boolean },
): Promise<Findings | null> {
  const { series } = await loadMetrics(desk, run, { mostMs: MOST_MS });
  if (!isTold) return null;
  const earlier = findEarlier(desk, run);
  const before = earlier === undefined ? null : (await loadMetrics(desk, earlier)).series;
  const metrics = chooseFindings([...series.keys()]).map((metric) => {
    const value = readLast(series.get(metric));
    const base = readLast(before?.get(metric));
    return { metric, value, delta: value === null || base === null ? null : value - base };
  });
  const isCompared = metrics.some(({ delta }) => delta !== null);
  return { metrics, baseline: isCompared ? (earlier?.name ?? null) : null };
}

/** What was measured at the end, on other data, tells more than a training loss; what gets neither better nor worse, least. */
function chooseFindings(metrics: readonly string[]): string[] {
  const said = sortByWeight(listSaid(metrics));
  const judged = said.filter((metric) => findDirection(metric) !== null);
  const telling = judged.length > 0 ? judged : said;
  return [...telling.filter(isEvaluated), ...telling.filter((metric) => !isEvaluated(metric))].slice(
    0,
    MOST_METRICS,
  );
}

function findEarlier(desk: Desk, run: RunRecord): RunRecord | undefined {
  return listEarlier(desk, run.request).find(
    ({ id, createdAt, results, request }) =>
      id !== run.id && createdAt <= run.createdAt && results !== null && request.cwd === run.request.cwd,
  );
}

/** null: it has none, or none that is a number. */
function readLast(series: Series | undefined): number | null {
  const last = series === undefined ? null : (sumUpSeries(series)?.last ?? null);
  return last !== null && Number.isFinite(last) ? last : null;
}
