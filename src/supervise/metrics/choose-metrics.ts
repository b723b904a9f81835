import { isSampled } from "./follow-samples.ts";

const EVALUATED = /(?:^|[^a-z])(?:eval|val|valid|validation|test|dev)(?:[^a-z]|$)/i;

/** What a person looks at first, by the words in a metric's name; the first row that holds counts. */
const RANKS: readonly RegExp[] = [
  /^(?!.*(?:eval|val|test|dev)).*loss/i,
  EVALUATED,
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

/** Whether its name says that it was measured on other data than those of the training. */
export function isEvaluated(metric: string): boolean {
  return EVALUATED.test(metric);
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
