import { type Comparison, compareRuns, type ValueKind } from "../../metrics/compare/compare-runs.ts";
import { makeComparisonTable, type Table } from "../../metrics/compare/comparison-table.ts";
import type { ComparedRun } from "../../metrics/compare/group-runs.ts";
import { readParameters } from "../../metrics/compare/read-parameters.ts";
import {
  describeDifferences,
  renderCsv,
  renderJson,
  renderMarkdown,
} from "../../metrics/compare/render-comparison.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";
import { loadRunNow } from "../find-runs.ts";
import { listSaid, sortByWeight } from "./choose-metrics.ts";
import { loadMetrics } from "./load-metrics.ts";

export type { ValueKind };

export interface CompareWish {
  /** Ids, names or their starts. */
  readonly runs: readonly string[];
  /** null: none. It is compared too, wherever it is named. */
  readonly baseline: string | null;
  /** Empty: all that the programs said. */
  readonly metrics: readonly string[];
  readonly value: ValueKind;
}

/** A comparison in each of its forms. */
export interface RunComparison {
  readonly table: Table;
  /** In what each experiment differs from the baseline, a line each. */
  readonly differences: readonly string[];
  /** What is not as one may think. */
  readonly notes: readonly string[];
  makeJson(): string;
  makeMarkdown(): string;
  makeCsv(): string;
}

/** @throws run_unknown, run_ambiguous, metric_unknown */
export async function compareRunsOf(desk: Desk, wish: CompareWish): Promise<RunComparison> {
  const baseline = wish.baseline === null ? null : await loadRunNow(desk, wish.baseline);
  const named: RunRecord[] = baseline === null ? [] : [baseline];
  for (const name of wish.runs) named.push(await loadRunNow(desk, name));
  const records = [...new Map(named.map((run) => [run.id, run])).values()];
  const notes: string[] = [];
  const runs: ComparedRun[] = [];
  for (const run of records) {
    const loaded = await loadMetrics(desk, run);
    notes.push(...loaded.notes.map((note) => `${run.name}: ${note}`));
    if (listSaid(loaded.series.keys()).length === 0)
      notes.push(`${run.name}: no numbers were found in its log and results`);
    runs.push(makeCompared(run, records, loaded.series));
  }
  const said = listSaid(runs.flatMap(({ series }) => [...series.keys()]));
  const metrics = wish.metrics.length > 0 ? wish.metrics : sortByWeight(said);
  const comparison = compareRuns(runs, { baseline: baseline?.id ?? null, metrics, value: wish.value });
  return makeForms(comparison, notes);
}

function makeCompared(run: RunRecord, all: readonly RunRecord[], series: ComparedRun["series"]): ComparedRun {
  const { id, name, state, request, git } = run;
  const isOnly = all.filter((other) => other.name === name).length === 1;
  return {
    ...{ id, name: isOnly ? name : `${name} (${id})`, status: state, series },
    parameters: readParameters(request.command),
    code: git?.tree || null,
  };
}

function makeForms(comparison: Comparison, notes: readonly string[]): RunComparison {
  return {
    table: makeComparisonTable(comparison),
    differences: describeDifferences(comparison),
    notes,
    makeJson: () => renderJson(comparison),
    makeMarkdown: () => renderMarkdown(comparison),
    makeCsv: () => renderCsv(comparison),
  };
}
