import { formatDollars } from "../../base/dollars.ts";
import { SortieError } from "../../base/error.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { loadRun } from "../../runs/run-store.ts";
import type { Desk } from "../desk.ts";
import { countAllDollars } from "./instance.ts";
import { findInstanceOf } from "./instance-store.ts";
import type { RentalTerms } from "./rental-terms.ts";

/** Whoever has stopped the run meanwhile, or given its machine up, wants no further one. @throws launch_called_off */
export function checkWanted({ store }: Desk, { id, name }: RunRecord): void {
  if (loadRun(store, id).state === "planned" && findInstanceOf(store, id)?.state !== "gone") return;
  throw new SortieError("launch_called_off", { run: name });
}

/** All tries together stay below the cap, also one that is still loading. @throws rent_cap_reached */
export function checkCap(desk: Desk, run: RunRecord, { mostDollars }: RentalTerms): void {
  if (mostDollars === null || countSpent(desk, run) < mostDollars) return;
  throw new SortieError("rent_cap_reached", { most: formatDollars(mostDollars) });
}

/** US dollars, all tries together. */
export function countSpent(desk: Desk, { id }: RunRecord): number {
  const instance = findInstanceOf(desk.store, id);
  return instance === null ? 0 : countAllDollars(instance, desk.clock.now());
}
