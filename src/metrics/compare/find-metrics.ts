import { SortieError } from "../../base/error.ts";
import { findLikely } from "../../base/nearest.ts";

const MOST_TOLD = 30;

/** The metrics of these names, each once, among those that there are; case is no matter where that is clear. @throws metric_unknown */
export function findMetrics(wanted: readonly string[], known: readonly string[]): string[] {
  return [...new Set(wanted.map((metric) => findMetric(metric, known)))];
}

function findMetric(wanted: string, known: readonly string[]): string {
  if (known.includes(wanted)) return wanted;
  const alike = known.filter((metric) => metric.toLowerCase() === wanted.toLowerCase());
  if (alike.length === 1) return alike[0] as string;
  throw new SortieError("metric_unknown", { metric: wanted, advice: advise(wanted, known) });
}

function advise(wanted: string, known: readonly string[]): string {
  const likely = findLikely(wanted, known);
  if (likely !== undefined) return `Did you mean ${likely}?`;
  if (known.length === 0)
    return "No numbers were found: `sortie logs` shows what it prints; docs/metrics.md says what is read.";
  const more = known.length - MOST_TOLD;
  return `There are: ${known.slice(0, MOST_TOLD).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}
