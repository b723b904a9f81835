import { SortieError } from "../../base/error.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { loadRun } from "../../runs/run-store.ts";
import type { Desk } from "../desk.ts";
import { nameHostOf } from "../group-by-host.ts";
import type { Fleet } from "./fleet.ts";

/** The runs of a fleet as they are on record, in the order of their starts; those that were cleaned away are left out. */
export function loadSeats(desk: Desk, fleet: Pick<Fleet, "runs">): RunRecord[] {
  return fleet.runs.flatMap((id) => desk.unkept.get(id) ?? findRun(desk, id) ?? []);
}

function findRun(desk: Desk, id: string): RunRecord | null {
  try {
    return loadRun(desk.store, id);
  } catch (fault) {
    if (fault instanceof SortieError && fault.code === "run_unknown") return null;
    throw fault;
  }
}

/** A key for the host of its agents, as `nameHostOf` makes one; of a fleet whose runs were all cleaned away: this machine's. */
export function nameFleetHost(desk: Desk, fleet: Pick<Fleet, "runs">): string {
  return nameHostOf(loadSeats(desk, fleet)[0] ?? { kind: "local", host: desk.identity.host });
}
