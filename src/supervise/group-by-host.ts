import type { RunRecord } from "../runs/run-record.ts";

/** The runs of each host, in the order in which they were given. One that is reached in two ways counts as two. */
export function groupByHost(runs: readonly RunRecord[]): RunRecord[][] {
  const groups = new Map<string, RunRecord[]>();
  for (const run of runs) {
    const key = run.remote ? JSON.stringify(run.remote.address) : `${run.kind} ${run.host}`;
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()];
}
