import { countOf } from "../../base/count-of.ts";
import { SortieError } from "../../base/error.ts";
import { type Series, sumUpSeries } from "../series/series.ts";
import { findMetrics } from "./find-metrics.ts";
import { type ComparedRun, type Experiment, groupRuns } from "./group-runs.ts";
import { judgeSeries, type SeriesFlag } from "./judge-series.ts";
import { type Difference, listDifferences } from "./list-differences.ts";

/** Which value of a run counts: its last one, its smallest, or its largest. */
export type ValueKind = "last" | "min" | "max";

export interface ComparisonOptions {
  /** The id of the run that the others are measured by; without one there are no deltas and differences. */
  readonly baseline?: string | null;
  /** These metrics only, in this order; all of all runs unless given. Upper and lower case are equal where that is clear. */
  readonly metrics?: readonly string[];
  readonly value?: ValueKind;
}

/** One metric of one experiment. */
export interface ComparisonRow {
  readonly experiment: string;
  readonly runs: readonly string[];
  readonly metric: string;
  /** Of several runs the mean; null where none has the metric. NaN where one of them is. */
  readonly value: number | null;
  /** The standard deviation over the seeds (n - 1); null for fewer than two. */
  readonly deviation: number | null;
  /** How many runs have the metric. */
  readonly count: number;
  /** The value less that of the baseline, and the same as a share of the baseline's size. */
  readonly delta: number | null;
  readonly deltaShare: number | null;
  readonly isBaseline: boolean;
  /** The state of its runs: `succeeded`, or `2 succeeded, 1 failed`. */
  readonly status: string;
  readonly flags: readonly SeriesFlag[];
}

export interface Comparison {
  readonly baseline: string | null;
  readonly valueKind: ValueKind;
  readonly rows: readonly ComparisonRow[];
  readonly differences: readonly Difference[];
}

/** Fails with `metric_unknown`, and with `baseline_unknown` where the baseline is none of the runs. */
export function compareRuns(
  runs: readonly ComparedRun[],
  { baseline = null, metrics, value: valueKind = "last" }: ComparisonOptions = {},
): Comparison {
  const experiments = groupRuns(runs);
  const base = findBaseline(experiments, baseline);
  const known = [...new Set(runs.flatMap((run) => [...run.series.keys()]))];
  const wanted = metrics === undefined ? known : findMetrics(metrics, known);
  const rows = wanted.flatMap((metric) => {
    const baseValue = base === null ? null : measure(base, metric, valueKind).value;
    return experiments.map((experiment) =>
      makeRow(experiment, metric, { valueKind, baseValue, isBaseline: experiment === base }),
    );
  });
  return {
    ...{ baseline: base?.name ?? null, valueKind, rows },
    differences: base === null ? [] : listDifferences(base, experiments),
  };
}

function findBaseline(experiments: readonly Experiment[], id: string | null): Experiment | null {
  if (id === null) return null;
  const found = experiments.find(({ runs }) => runs.some((run) => run.id === id));
  if (found === undefined) throw new SortieError("baseline_unknown", { baseline: id });
  return found;
}

interface RowTerms {
  readonly valueKind: ValueKind;
  readonly baseValue: number | null;
  readonly isBaseline: boolean;
}

function makeRow(experiment: Experiment, metric: string, terms: RowTerms): ComparisonRow {
  const { valueKind, baseValue, isBaseline } = terms;
  const { value, deviation, count } = measure(experiment, metric, valueKind);
  const delta = isBaseline || value === null || baseValue === null ? null : value - baseValue;
  const flags = experiment.runs.flatMap((run) => {
    const series = run.series.get(metric);
    return series === undefined ? [] : judgeSeries(series);
  });
  return {
    ...{
      experiment: experiment.name,
      runs: experiment.runs.map(({ id }) => id),
      metric,
      value,
      deviation,
      count,
    },
    delta,
    deltaShare: delta === null || baseValue === null || baseValue === 0 ? null : delta / Math.abs(baseValue),
    ...{ isBaseline, status: describeStates(experiment), flags },
  };
}

function measure({ runs }: Experiment, metric: string, kind: ValueKind) {
  const values = runs.flatMap((run) => {
    const series = run.series.get(metric);
    return series === undefined ? [] : (readValue(series, kind) ?? []);
  });
  const count = values.length;
  if (count === 0) return { value: null, deviation: null, count };
  // Taken from the first value on, values that are all the same have exactly it as their mean, and do not deviate.
  const [first = 0] = values.filter(Number.isFinite);
  const mean = first + values.reduce((sum, value) => sum + (value - first), 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { value: mean, deviation: count < 2 ? null : Math.sqrt(squares / (count - 1)), count };
}

function readValue(series: Series, kind: ValueKind): number | null {
  return sumUpSeries(series)?.[kind] ?? null;
}

function describeStates({ runs }: Experiment): string {
  const counts = new Map<string, number>();
  for (const { status } of runs) counts.set(status, (counts.get(status) ?? 0) + 1);
  if (counts.size === 1) return runs[0].status;
  return [...counts].map(([status, count]) => countOf(count, status, status)).join(", ");
}
