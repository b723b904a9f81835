import type { RunRequest } from "../../runs/run-record.ts";
import type { RentNeeds } from "../../targets/vast/needs.ts";
import type { Offer } from "../../targets/vast/offer.ts";
import type { TargetPlace } from "../choose-target.ts";
import type { ConfigPredicate } from "../plan.ts";

/** Everything that confirming does for a run whose machine is still to be rented. */
export interface RentalTerms {
  /** Of the run. */
  readonly name: string;
  readonly target: string;
  readonly place: TargetPlace;
  readonly request: RunRequest;
  readonly needs: RentNeeds;
  /** The one that is tried first. Its price is asked again before it is paid. */
  readonly offer: Offer;
  /** No machine is rented that costs more an hour. */
  readonly mostDollarsPerHour: number;
  /** For all tries together; null: a person sees the end of it. */
  readonly mostDollars: number | null;
  /** Where that stands, if it is for others as well: a key of the configuration; null: it is this run's own. */
  readonly budget: string | null;
  /** How long it may be rented; null: no limit. */
  readonly mostHours: number | null;
  /** So many machines are tried one after the other. */
  readonly tries: number;
  readonly autoDestroy: boolean;
  /** A machine on which no program can stop it when nobody comes will do. */
  readonly mayBeUnguarded: boolean;
  /** The specification of the environment that is made ready there; null: it is under no contract. */
  readonly contract: { readonly name: string; readonly hash: string } | null;
  /** What is sent to it: what the project holds now, and nothing else. */
  readonly sent: { readonly hash: string; readonly files: number; readonly bytes: number };
}

/** What must still hold when the rental is confirmed. */
export type RentalCondition =
  | ConfigPredicate
  | { readonly kind: "code"; readonly hash: string }
  | { readonly kind: "offer"; readonly mostDollarsPerHour: number }
  | { readonly kind: "name"; readonly name: string };

/** The action's name in plans. */
export const RENTAL_ACTION = "vast run";
