import type { Experiment } from "./group-runs.ts";
import { isSeed } from "./read-parameters.ts";

/** In what an experiment differs from the baseline; null stands for a parameter that one of them does not have. */
export interface Difference {
  readonly experiment: string;
  readonly parameters: readonly { name: string; baseline: string | null; value: string | null }[];
  readonly code: "same" | "differs" | "unknown";
}

/** Of each experiment but the baseline. Seeds are no difference. */
export function listDifferences(baseline: Experiment, experiments: readonly Experiment[]): Difference[] {
  return experiments
    .filter((experiment) => experiment !== baseline)
    .map((experiment) => compare(baseline, experiment));
}

function compare(baseline: Experiment, { name: experiment, runs }: Experiment): Difference {
  const [before, now] = [baseline.runs[0], runs[0]];
  const names = [...new Set([...before.parameters.keys(), ...now.parameters.keys()])];
  const parameters = names
    .filter((name) => !isSeed(name) && before.parameters.get(name) !== now.parameters.get(name))
    .map((name) => ({
      name,
      baseline: before.parameters.get(name) ?? null,
      value: now.parameters.get(name) ?? null,
    }));
  const isKnown = before.code !== null && now.code !== null;
  return {
    experiment,
    parameters,
    code: isKnown ? (before.code === now.code ? "same" : "differs") : "unknown",
  };
}
