import type { RunRecord } from "../runs/run-record.ts";
import { listLiveRuns, loadRun } from "../runs/run-store.ts";
import { isEnded } from "../runs/states.ts";
import type { Desk } from "./desk.ts";
import { groupByHost } from "./group-by-host.ts";

/** So long a command waits for a host over the network; then what was last known of its runs stands. */
const PATIENCE_MS = 3000;
/** Of one that is known to be silent: the watcher has news of it as soon as there is any. */
const SILENT_PATIENCE_MS = 1000;
/** Hosts that have answered by then are not kept waiting for the others. */
const PROMPT_MS = 700;

/**
 * Brings the record of every live run up to what its host shows, one question a host, none of which waits for another.
 * Runs that a dead launcher left behind are settled: one that can no longer start is closed first. Everything that lists
 * or acts calls this; `isMeant` for those alone on which it depends.
 */
export async function settleRuns(
  desk: Desk,
  isMeant: (run: RunRecord) => boolean = () => true,
): Promise<void> {
  const groups = groupByHost(listLiveRuns(desk.store).filter(isMeant));
  await Promise.all(groups.map((runs) => settle(desk, runs, findPatience(runs))));
}

/** Runs of hosts that have not answered at once. */
export interface LateRuns {
  readonly ids: ReadonlySet<string>;
  /** Until they have, or have had their time. */
  settled(): Promise<void>;
}

/** Settles every live run, and answers early where a host takes its time: with the runs that are still to be heard of. */
export async function settlePromptRuns(desk: Desk): Promise<LateRuns> {
  const ids = new Set<string>();
  const enough = new AbortController();
  const settleHost = async (runs: readonly RunRecord[]) => {
    const ofNetwork = runs.flatMap(({ id, remote }) => (remote ? [id] : []));
    for (const id of ofNetwork) ids.add(id);
    await settle(desk, runs, findPatience(runs));
    for (const id of ofNetwork) ids.delete(id);
  };
  const work = groupByHost(listLiveRuns(desk.store)).map(settleHost);
  const all = Promise.all(work).then(() => enough.abort());
  all.catch(() => enough.abort()); // whoever waits for it is told
  await desk.clock.sleep(PROMPT_MS, enough.signal);
  return { ids: new Set(ids), settled: () => all };
}

/** The same for one run; its record afterwards. */
export async function settleRun(desk: Desk, id: string): Promise<RunRecord> {
  const run = loadRun(desk.store, id);
  if (!isEnded(run.state)) await settle(desk, [run], PATIENCE_MS);
  return desk.unkept.get(id) ?? loadRun(desk.store, id);
}

function findPatience(runs: readonly RunRecord[]): number {
  return runs.some(({ reachable }) => reachable) ? PATIENCE_MS : SILENT_PATIENCE_MS;
}

/** Loaded on demand: most commands find nothing to settle, and start sooner without it. */
async function settle(desk: Desk, runs: readonly RunRecord[], patienceMs: number): Promise<void> {
  const { settleOnHost } = await import("./settle-host.ts");
  await settleOnHost(desk, runs, { patienceMs });
}
