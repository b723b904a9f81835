import type { RunRecord } from "../runs/run-record.ts";
import { listAwayRuns, listLiveRuns } from "../runs/run-store.ts";
import { isTryDue } from "./collect-tries.ts";
import { listLiveFleets } from "./fleet/fleet-store.ts";
import { nameFleetHost } from "./fleet/load-seats.ts";
import { nameHostOf } from "./group-by-host.ts";
import { listDueInstances } from "./rent/due-instances.ts";
import { listDueForwards } from "./wandb/forward/forward-list.ts";
import { collectFromHost, type HostWork, lookAtHost } from "./watch-host.ts";

/** Those who wait in line are served promptly. */
const WAITING_MS = 2000;
/** An agent that ended has a short time to come back to its cases. */
const FLEET_MS = 1000;

/** Something to be done for one host, again and again. */
export interface Task {
  /** Of its lane. */
  readonly key: string;
  readonly host: string;
  /** How its runs stand. */
  readonly seen: string;
  readonly mostMs: number;
  /** false: the host does not answer. */
  work(): Promise<boolean>;
}

/** All that a watcher has to do. Bringing home may take long: meanwhile the live runs of the same host are looked after. */
export function listTasks(watch: HostWork): Task[] {
  const { desk } = watch;
  const live = groupByKey(listLiveRuns(desk.store));
  const fleetHosts = new Set(listLiveFleets(desk.store).map((fleet) => nameFleetHost(desk, fleet)));
  // The end of a fleet is put on record after that of its last agent.
  for (const host of fleetHosts) if (!live.has(host)) live.set(host, []);
  const away = groupByKey(listAwayRuns(desk.store).filter((run) => isTryDue(desk, watch.tries, run)));
  return [
    ...listMachineTasks(watch),
    ...[...live].map(([host, runs]): Task => {
      const mostMs = Math.min(
        fleetHosts.has(host) ? FLEET_MS : Number.POSITIVE_INFINITY,
        runs.some(({ state }) => state === "waiting") ? WAITING_MS : Number.POSITIVE_INFINITY,
      );
      return { key: `look ${host}`, host, seen: describe(runs), mostMs, work: () => lookAtHost(watch, host) };
    }),
    ...[...away].map(([host, runs]): Task => {
      const work = () => collectFromHost(watch, runs);
      return { key: `collect ${host}`, host, seen: describe(runs), mostMs: Number.POSITIVE_INFINITY, work };
    }),
    ...listForwardTasks(watch),
  ];
}

/** One lane for all, beside those of hosts: whatever W&B does holds up nobody. */
function listForwardTasks({ desk, tell }: HostWork): Task[] {
  const due = listDueForwards(desk);
  if (due.length === 0) return [];
  const work = async () => {
    const { forwardDue } = await import("./wandb/forward/forward-due.ts"); // most runs are not forwarded
    await forwardDue(desk).catch((fault) => tell("forward", fault));
    return true;
  };
  const seen = due.map(({ run }) => run.id).join("\n");
  return [{ key: "forward", host: "", seen, mostMs: Number.POSITIVE_INFINITY, work }];
}

/** Rented machines whose runs are over, or whose renter died. */
function listMachineTasks({ desk, onStep }: HostWork): Task[] {
  return listDueInstances(desk).map((instance) => ({
    ...{ key: `machine ${instance.run}`, host: "vast", seen: instance.state },
    mostMs: Number.POSITIVE_INFINITY,
    work: async () => {
      const { settleInstance } = await import("./rent/settle-instance.ts");
      return settleInstance(desk, instance, onStep);
    },
  }));
}

function groupByKey(runs: readonly RunRecord[]): Map<string, RunRecord[]> {
  const groups = new Map<string, RunRecord[]>();
  for (const run of runs) groups.set(nameHostOf(run), [...(groups.get(nameHostOf(run)) ?? []), run]);
  return groups;
}

/** Others start, park and see runs meanwhile: those are looked at promptly, however long the pause. */
function describe(runs: readonly RunRecord[]): string {
  return runs.map((run) => `${run.id} ${run.state} ${run.reachable}`).join("\n");
}
