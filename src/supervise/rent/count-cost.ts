import type { RunRecord } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";
import { countAllDollars } from "./instance.ts";
import { findInstanceOf } from "./instance-store.ts";

/** What the rented machine of a run has cost so far, with those that were tried before it; null: it is on none. */
export function countCost(
  { store, clock }: Pick<Desk, "store" | "clock">,
  { id, kind }: Pick<RunRecord, "id" | "kind">,
): number | null {
  const instance = kind === "vast" ? findInstanceOf(store, id) : null;
  return instance && countAllDollars(instance, clock.now());
}
