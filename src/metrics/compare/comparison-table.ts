import { formatDelta, formatNumber } from "../format-number.ts";
import type { Comparison, ComparisonRow } from "./compare-runs.ts";

/** A table as data: what stands in its cells, for people. */
export interface Table {
  readonly columns: readonly { readonly title: string; readonly align: "left" | "right" }[];
  readonly rows: readonly (readonly string[])[];
}

/** Experiment, metric, value, delta to the baseline, status; flags where there are any. */
export function makeComparisonTable({ baseline, rows }: Comparison): Table {
  const hasFlags = rows.some(({ flags }) => flags.length > 0);
  const columns: { title: string; align: "left" | "right"; show: (row: ComparisonRow) => string }[] = [
    { title: "experiment", align: "left", show: ({ experiment }) => experiment },
    { title: "metric", align: "left", show: ({ metric }) => metric },
    { title: "value", align: "right", show: showValue },
    ...(baseline === null ? [] : [{ title: "delta", align: "right" as const, show: showDelta }]),
    { title: "status", align: "left", show: ({ status }) => status },
    ...(hasFlags ? [{ title: "flags", align: "left" as const, show: showFlags }] : []),
  ];
  return {
    columns: columns.map(({ title, align }) => ({ title, align })),
    rows: rows.map((row) => columns.map(({ show }) => show(row))),
  };
}

/** `0.812 ± 0.004 (3)`. */
function showValue({ value, deviation, count }: ComparisonRow): string {
  if (value === null) return "-";
  return deviation === null
    ? formatNumber(value)
    : `${formatNumber(value)} ± ${formatNumber(deviation)} (${count})`;
}

function showDelta({ isBaseline, delta, deltaShare }: ComparisonRow): string {
  if (isBaseline) return "baseline";
  if (delta === null) return "-";
  const share =
    deltaShare === null || !Number.isFinite(deltaShare) ? "" : ` (${formatDelta(roundPercent(deltaShare))}%)`;
  return `${formatDelta(delta)}${share}`;
}

function roundPercent(share: number): number {
  return Math.round(share * 1000) / 10;
}

function showFlags({ flags }: ComparisonRow): string {
  return [...new Set(flags.map(({ text }) => text))].join("; ");
}
