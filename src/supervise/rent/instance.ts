import type { ProcessIdentity } from "../../process/identity.ts";

/**
 * Where a rented machine is in its life. `intended`: somebody is about to rent it; `created`: the vendor has it; `ready`: it
 * answers over ssh; `destroy_intended`: its destruction was asked for; `gone`: it was read back, and is not there any more.
 */
export type InstanceState = "intended" | "created" | "ready" | "destroy_intended" | "gone";

/** A machine of Vast.ai's, for the one run that it is used for. */
export interface Instance {
  /** The id of its run, and of those that Sortie rents the label in the account. */
  readonly run: string;
  /** The vendor's number; null: none is known yet. */
  readonly number: number | null;
  readonly state: InstanceState;
  /** Sortie rented it for this run; else a person did, and named it. */
  readonly isRented: boolean;
  /** It is destroyed once the results are home, without another question. */
  readonly autoDestroy: boolean;
  /** US dollars, as they were when it was rented, or first used for this run. */
  readonly dollarsPerHour: number;
  /** Since when this run's account pays for it. ISO 8601. */
  readonly since: string;
  readonly goneAt: string | null;
  /** The most that may be spent for it, with what was tried before; null: nobody said. */
  readonly mostDollars: number | null;
  /** Where a budget stands that it shares with others; null: it shares none. */
  readonly budget: string | null;
  /** What was tried before it, and is gone again: each with what it has cost. */
  readonly earlier: readonly FailedTry[];
  /** Whether the vendor may have made one more for this run, of which nothing was seen so far. */
  readonly mayHaveMore?: boolean;
  /** Why it is left alone though its run is over; null: nothing keeps it. */
  readonly keptFor: string | null;
  /** Whether a program on it stops it when nobody comes. */
  readonly isGuarded: boolean;
  /** Who rents it. */
  readonly launcher: ProcessIdentity;
  /** What the vendor was asked about it while it did not answer; absent: it was not. */
  readonly sight?: VendorSight;
}

/** What a vendor says of a machine that does not answer. Times are ISO 8601. */
export interface VendorSight {
  readonly askedAt: string;
  /** null: the vendor did not answer either. */
  readonly said: VendorWord | null;
}

export interface VendorWord {
  /** The vendor's word, such as `running` or `exited`; null: the account has no such machine. */
  readonly status: string | null;
  /** The vendor's own words beside it. */
  readonly message: string | null;
  /** Since when it was seen so. */
  readonly since: string;
  /** While it runs, in US dollars. */
  readonly dollarsPerHour: number;
  /** While it does not; null: not known. */
  readonly storageDollarsPerHour: number | null;
}

/** An instance that did not come up. */
export interface FailedTry {
  readonly number: number;
  readonly reason: string;
  readonly dollars: number;
}

const HOUR_MS = 3_600_000;

/** With what was tried before it. One whose creation is only intended costs nothing yet. */
export function countAllDollars(instance: Instance, now: Date): number {
  const before = instance.earlier.reduce((sum, { dollars }) => sum + dollars, 0);
  return before + (instance.number === null ? 0 : countDollars(instance, now));
}

/** It is rented, and what may be spent for it is not spent yet. Without a cap nobody knows: false. */
export function mayCostMore(instance: Instance, now: Date): boolean {
  const { mostDollars, state } = instance;
  return state !== "gone" && mostDollars !== null && countAllDollars(instance, now) < mostDollars;
}

/** What it has cost so far, or in all, by the price on record and this machine's clock; without what was tried before it. */
export function countDollars({ dollarsPerHour, since, goneAt }: Instance, now: Date): number {
  const until = goneAt === null ? now.getTime() : Date.parse(goneAt);
  return (Math.max(0, until - Date.parse(since)) / HOUR_MS) * dollarsPerHour;
}
