import { SortieError } from "../../base/error.ts";
import { findLikely } from "../../base/nearest.ts";
import { isSampled } from "./follow-samples.ts";

/** What a person looks at first, by the words in a metric's name; the first row that holds counts. */
const RANKS: readonly RegExp[] = [
  /^(?!.*(?:eval|val|test|dev)).*loss/i,
  /(?:^|[^a-z])(?:eval|val|valid|validation|test|dev)(?:[^a-z]|$)/i,
  /acc|auc|f1|bleu|rouge|ppl|perplexity|reward|return|score|iou|psnr/i,
  /(?:^|[^a-z])(?:lr|learning[_ ]?rate)(?:[^a-z]|$)/i,
];

/** All metrics, the most telling first; what the host saw comes last. */
export function sortByWeight(metrics: readonly string[]): string[] {
  const rank = (metric: string) => {
    if (isSampled(metric)) return RANKS.length + 1;
    const found = RANKS.findIndex((words) => words.test(metric));
    return found === -1 ? RANKS.length : found;
  };
  return metrics.toSorted((one, other) => rank(one) - rank(other));
}

/** What the programs said themselves, each once. */
export function listSaid(metrics: Iterable<string>): string[] {
  return [...new Set(metrics)].filter((metric) => !isSampled(metric));
}

/** What is shown where nobody says which: the most telling ones, what the program said alone. */
export function chooseTelling(metrics: readonly string[], most: number): string[] {
  const said = listSaid(metrics);
  return sortByWeight(said.length > 0 ? said : metrics).slice(0, most);
}

/** The metrics of these names; case is no matter where that is clear. @throws metric_unknown */
export function findWanted(wanted: readonly string[], known: readonly string[]): string[] {
  return wanted.map((metric) => {
    if (known.includes(metric)) return metric;
    const alike = known.filter((name) => name.toLowerCase() === metric.toLowerCase());
    if (alike.length === 1) return alike[0] as string;
    const likely = findLikely(metric, known);
    const advice =
      likely === undefined
        ? known.length === 0
          ? "No numbers were found: `sortie logs` shows what it prints; docs/metrics.md says what is read."
          : `There are: ${known.join(", ")}.`
        : `Did you mean ${likely}?`;
    throw new SortieError("metric_unknown", { metric, advice });
  });
}
