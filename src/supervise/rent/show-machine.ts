import { formatDollars } from "../../base/dollars.ts";
import { describeFault } from "../../base/error.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { loadRun } from "../../runs/run-store.ts";
import { isEnded } from "../../runs/states.ts";
import type { Desk } from "../desk.ts";
import { makeCleanup } from "./describe-instance.ts";
import { countAllDollars, type Instance, type VendorWord } from "./instance.ts";
import { findInstanceOf } from "./instance-store.ts";
import { tearDown } from "./tear-down.ts";

/** The rented machine of a run, for `--json` and for people. */
export interface MachineSight {
  readonly document: ReturnType<typeof makeMachineDocument>;
  readonly words: readonly string[];
}

/** As it is known, without asking anybody. null: the run is on none. */
export function showMachine(desk: Desk, run: string): MachineSight | null {
  const instance = findInstanceOf(desk.store, run);
  return instance && makeSight(desk, instance);
}

/** Sees to the machine of a run that is over, and tells what became of it; whatever fails leaves it as it is. */
export async function endMachine(desk: Desk, run: string): Promise<MachineSight | null> {
  try {
    const instance = await tearDown(desk, run);
    return instance && makeSight(desk, instance);
  } catch (fault) {
    const sight = showMachine(desk, run);
    return sight && { ...sight, words: [`could not be seen to: ${describeFault(fault)}`, ...sight.words] };
  }
}

function makeSight(desk: Desk, instance: Instance): MachineSight {
  const now = desk.clock.now();
  const run = loadRun(desk.store, instance.run);
  const word = isSilent(run) ? (instance.sight?.said ?? null) : null;
  const isUp = instance.state !== "intended" && instance.state !== "created";
  const words = isUp ? describeMachine(instance, word, now) : describeRenting(instance, run, now);
  return { document: makeMachineDocument(instance, now), words };
}

/** What the vendor said of it holds only as long as it says nothing itself. */
function isSilent({ reachable, state, results, collectFault }: RunRecord): boolean {
  return !reachable || (isEnded(state) && results === null && collectFault !== null);
}

function makeMachineDocument(instance: Instance, now: Date) {
  const { number, state, isRented, autoDestroy, isGuarded, dollarsPerHour, since, goneAt, keptFor, earlier } =
    instance;
  return {
    ...{ number, state, isRented, autoDestroy, isGuarded, dollarsPerHour, since, goneAt, keptFor },
    dollars: countAllDollars(instance, now),
    earlier: earlier.map((one) => ({ ...one })),
    cleanup: number === null || state === "gone" ? null : makeCleanup(number),
  };
}

/** It does not run yet: it is waited for, or given up where its run is over. */
function describeRenting(instance: Instance, { name, state }: RunRecord, now: Date): string[] {
  const { number, dollarsPerHour, keptFor } = instance;
  const kept = keptFor === null ? [] : [`it was not destroyed: ${keptFor}`];
  const which = number === null ? "one" : `instance ${number}`;
  const price = `${formatDollars(dollarsPerHour)} an hour, ${formatDollars(countAllDollars(instance, now))} so far`;
  if (isEnded(state)) return [`${which} that was being rented is given up, and destroyed: ${price}`, ...kept];
  const wait = number === null ? "is being rented" : "is rented and not up yet";
  return [`${which} ${wait}: ${price}; give it up: sortie stop ${name}`, ...kept];
}

function describeMachine(instance: Instance, word: VendorWord | null, now: Date): string[] {
  const { number, state, dollarsPerHour, keptFor } = instance;
  const cost = formatDollars(countAllDollars(instance, now));
  if (state === "gone" || number === null)
    return [
      `${number === null ? "none is left" : `instance ${number} is gone from the account`}; cost ${cost}`,
    ];
  const kept = keptFor === null ? [] : [`it was not destroyed: ${keptFor}`];
  const price = `${formatDollars(dollarsPerHour)} an hour, ${cost} so far`;
  if (state === "destroy_intended")
    return [`instance ${number} is being destroyed, and may still cost ${price}`, ...kept];
  const end = `end that: ${makeCleanup(number)}`;
  if (word === null || word.status === "running")
    return [`instance ${number} is running and costs ${price}; ${end}`, ...kept];
  const said = word.status === null ? "is not in the account" : `does not run (${word.status})`;
  return [
    `instance ${number} ${said}, seen so since ${word.since}; it has cost at most ${cost}; ${end}`,
    ...(word.status === null ? [] : ["started on the vendor's page, it gives what is not home yet"]),
    ...kept,
  ];
}
