import type { Percentiles } from "../../tunnel/agent-report.ts";

/** The value below which so many of 100 lie (nearest rank); NaN of none. */
export function findPercentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** Undefined of no values. */
export function makePercentiles(values: readonly number[]): Percentiles | undefined {
  if (values.length === 0) return undefined;
  const [p50, p95, p99] = [50, 95, 99].map((percent) => findPercentile(values, percent)) as [
    number,
    number,
    number,
  ];
  return { p50, p95, p99, max: Math.max(...values) };
}
