import type { MetricPoint } from "../metric-point.ts";

/** What a file holds: its points in the order of the file, and what of it could not be read, in words. */
export interface MetricFile {
  readonly points: MetricPoint[];
  readonly problems: string[];
}

/** So many problems of one file are told; the rest is counted. */
const MOST_PROBLEMS = 5;

/** Keeps the first problems of a file and the number of the others. */
export function limitProblems(problems: readonly string[]): string[] {
  if (problems.length <= MOST_PROBLEMS) return [...problems];
  return [...problems.slice(0, MOST_PROBLEMS), `${problems.length - MOST_PROBLEMS} more of the same kind`];
}
