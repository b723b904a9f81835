import type { RunRecord } from "../../runs/run-record.ts";
import type { Desk } from "../desk.ts";
import type { ChosenInstance } from "./find-instance.ts";
import { findInstanceOf, insertInstance } from "./instance-store.ts";

/** Puts on record which rented machine a run is on; one that was rented for it is on record since before that. */
export function recordInstance(desk: Desk, run: Pick<RunRecord, "id">, chosen: ChosenInstance): void {
  if (findInstanceOf(desk.store, run.id) !== null) return;
  const { number, dollarsPerHour, autoDestroy } = chosen;
  insertInstance(desk.store, {
    ...{ run: run.id, number, dollarsPerHour, autoDestroy },
    ...{ state: "ready", isRented: false, isGuarded: false },
    since: desk.clock.now().toISOString(),
    ...{ mostDollars: null, budget: null, goneAt: null, earlier: [], keptFor: null },
    launcher: desk.identity,
  });
}
