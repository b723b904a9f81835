import type { Series } from "../series/series.ts";
import { isSeed } from "./read-parameters.ts";

/** What a comparison is told of a run. */
export interface ComparedRun {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** What names the state of its code, as a tree's hash; null where that is not known. */
  readonly code: string | null;
  readonly series: ReadonlyMap<string, Series>;
}

/** Runs that differ by the seed alone; most often one. */
export interface Experiment {
  readonly name: string;
  readonly runs: readonly [ComparedRun, ...ComparedRun[]];
}

/** In the order of the runs. A run without a seed, or with one that its group has, stands alone: it is no other sample. */
export function groupRuns(runs: readonly ComparedRun[]): Experiment[] {
  const groups: [ComparedRun, ...ComparedRun[]][] = [];
  for (const run of runs) {
    const group = groups.find((members) => belongsTo(run, members));
    if (group === undefined) groups.push([run]);
    else group.push(run);
  }
  return groups.map((members) => ({ name: members[0].name, runs: members }));
}

function belongsTo(run: ComparedRun, members: readonly [ComparedRun, ...ComparedRun[]]): boolean {
  const seed = readSeed(run);
  const seeds = members.map(readSeed);
  if (seed === "" || seeds.includes(seed) || seeds.includes("")) return false;
  return run.code === members[0].code && describeRest(run) === describeRest(members[0]);
}

/** Empty where it has none. */
function readSeed({ parameters }: ComparedRun): string {
  return JSON.stringify([...parameters].filter(([name]) => isSeed(name)).sort()).replace("[]", "");
}

function describeRest({ parameters }: ComparedRun): string {
  return JSON.stringify([...parameters].filter(([name]) => !isSeed(name)).sort());
}
