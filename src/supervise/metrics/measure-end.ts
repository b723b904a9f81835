import { findDirection } from "../../metrics/compare/metric-direction.ts";
import { type Series, sumUpSeries } from "../../metrics/series/series.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";
import { listEarlier } from "../estimate-duration.ts";
import type { Findings } from "../news/ended-notice.ts";
import { chooseTelling, isEvaluated } from "./choose-metrics.ts";
import { loadMetrics } from "./load-metrics.ts";

/** What has ended is read to its end, once; nobody waits for it. */
const MOST_MS = 30_000;

/**
 * Reads the metrics of a run whose results are home by this record. `isTold`: answers with its most telling one, and how far that is
 * from the newest earlier run of the same command.
 */
export async function measureEnd(
  desk: Desk,
  run: RunRecord,
  { isTold }: { readonly isTold: boolean },
): Promise<Findings | null> {
  const { series } = await loadMetrics(desk, run, { mostMs: MOST_MS });
  if (!isTold) return null;
  const metric = chooseFinding([...series.keys()]);
  if (metric === null) return null;
  const value = readLast(series.get(metric));
  const earlier = value === null ? null : await findEarlier(desk, run, metric);
  return {
    ...{ metric, value },
    delta: value === null || earlier === null ? null : value - earlier.value,
    baseline: earlier?.name ?? null,
  };
}

/** What was measured at the end, on other data, tells more than a training loss. */
function chooseFinding(metrics: readonly string[]): string | null {
  const telling = chooseTelling(metrics, metrics.length).filter((metric) => findDirection(metric) !== null);
  return telling.find(isEvaluated) ?? telling[0] ?? null;
}

async function findEarlier(desk: Desk, run: RunRecord, metric: string) {
  const earlier = listEarlier(desk, run.request).find(
    ({ id, createdAt, results }) => id !== run.id && createdAt <= run.createdAt && results !== null,
  );
  if (earlier === undefined) return null;
  const value = readLast((await loadMetrics(desk, earlier)).series.get(metric));
  return value === null ? null : { name: earlier.name, value };
}

/** null: it has none, or none that is a number. */
function readLast(series: Series | undefined): number | null {
  const last = series === undefined ? null : (sumUpSeries(series)?.last ?? null);
  return last !== null && Number.isFinite(last) ? last : null;
}
