import { formatDollars } from "../../base/dollars.ts";
import { SortieError } from "../../base/error.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { loadRun } from "../../runs/run-store.ts";
import { isEnded } from "../../runs/states.ts";
import { defineAction } from "../actions/action.ts";
import { type ActionPlan, saveAction } from "../actions/action-plan.ts";
import type { Desk } from "../desk.ts";
import { closeRun } from "./close-run.ts";
import { destroyInstance } from "./destroy-instance.ts";
import { countDollars, type Instance } from "./instance.ts";
import { findInstanceOf, listOpenInstances } from "./instance-store.ts";
import { openAccount } from "./open-account.ts";
import { alone } from "./tear-down.ts";

const EXPIRES_AFTER_MS = 15 * 60_000;

/** Exactly the instance that was shown. */
export interface DestroyTerms {
  readonly number: number;
  /** Runs of yours on it. */
  readonly runs: readonly string[];
}

export interface DestroyCondition {
  readonly kind: "losses";
  /** What was shown of what is lost with it. */
  readonly losses: readonly string[];
}

export const action = defineAction<DestroyTerms, DestroyCondition>({
  async findChanges(desk, { terms, restsOn }) {
    const known = restsOn.flatMap(({ losses }) => losses);
    return listLosses(desk, terms.runs).filter((loss) => !known.includes(loss));
  },
  async execute(desk, terms) {
    const gone = await destroyFor(desk, terms);
    const { dollars } = gone;
    const words = [
      `Instance ${terms.number} is gone from the account; it has cost ${formatDollars(dollars)}.`,
    ];
    return { document: { instance: { number: terms.number, state: "gone", dollars } }, words };
  },
});

/** The plan that destroys a machine of yours, with what is lost with it. @throws instance_unknown */
export function planDestroy(desk: Desk, number: number): ActionPlan<DestroyTerms, DestroyCondition> {
  const instances = findInstances(desk, number);
  const runs = instances.map(({ run }) => run);
  const losses = listLosses(desk, runs);
  const perHour = formatDollars(instances[0]?.dollarsPerHour ?? 0);
  return saveAction(
    desk,
    {
      ...{ action: "vast destroy", terms: { number, runs }, restsOn: [{ kind: "losses", losses }] },
      notes: losses,
      sideEffects: [
        `destroy the instance ${number} (${perHour} an hour) with everything on its disk`,
        "read the account until it is gone",
      ],
      look: "sortie vast ls",
    },
    { expiresAfterMs: EXPIRES_AFTER_MS },
  );
}

/** What a person loses with the machine, in words; empty: all is home. */
function listLosses(desk: Desk, runs: readonly string[]): string[] {
  return runs.flatMap((id) => describeLoss(loadRun(desk.store, id)));
}

function describeLoss({ name, state, results, collectFault }: RunRecord): string[] {
  if (!isEnded(state)) return [`${name} is ${state} there: it ends, and what it has made is lost`];
  return results === null
    ? [
        `the results of ${name} are not home (${collectFault ?? "not yet"}): they are lost; first: sortie collect ${name}`,
      ]
    : [];
}

async function destroyFor(desk: Desk, { number, runs }: DestroyTerms): Promise<{ dollars: number }> {
  const [first] = runs as readonly [string];
  const gone = await alone(desk, first, () =>
    destroyInstance(desk, findInstanceOf(desk.store, first) as Instance, () => undefined),
  );
  const others = findInstancesOpen(desk, number);
  for (const { run } of others)
    await alone(desk, run, () =>
      destroyInstance(desk, findInstanceOf(desk.store, run) as Instance, () => undefined),
    );
  for (const id of new Set([...runs, ...others.map(({ run }) => run)])) closeRun(desk, id, number);
  return { dollars: countDollars(gone, desk.clock.now()) };
}

/** @throws instance_unknown */
function findInstances(desk: Desk, number: number): Instance[] {
  const instances = findInstancesOpen(desk, number);
  if (instances.length === 0) throw new SortieError("instance_unknown", { number });
  openAccount(desk); // a missing key is told before anything is planned
  return instances;
}

function findInstancesOpen(desk: Desk, number: number): Instance[] {
  return listOpenInstances(desk.store).filter((instance) => instance.number === number);
}
