import type { RunRecord } from "../runs/run-record.ts";
import type { TargetAddress } from "./find-target.ts";

/** The runs of each host, in the order in which they were given. One that is reached in two ways counts as two. */
export function groupByHost(runs: readonly RunRecord[]): RunRecord[][] {
  const groups = new Map<string, RunRecord[]>();
  for (const run of runs) {
    const key = nameHostOf(run);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()];
}

/** A key for the host of a run. */
export function nameHostOf({ remote, kind, host }: Pick<RunRecord, "remote" | "kind" | "host">): string {
  return remote ? JSON.stringify(remote.address) : `${kind} ${host}`;
}

/** What a plan for a target depends on: the runs at its host, and the one that has its name. */
export function isAtOrNamed(
  { kind, remote }: TargetAddress,
  name: string | null,
): (run: Pick<RunRecord, "remote" | "kind" | "name">) => boolean {
  const place = remote ? JSON.stringify(remote.address) : kind;
  return (run) => run.name === name || (run.remote ? JSON.stringify(run.remote.address) : run.kind) === place;
}
