import type { Desk } from "../desk.ts";
import { ensureWatcher } from "../watcher.ts";
import type { Fleet } from "./fleet.ts";
import { changeFleet, findFleet } from "./fleet-store.ts";

/**
 * A person's word that the first agent is up, where a launcher script does not say so: the rest are started one after the
 * other. @throws fleet_unknown, fleet_ambiguous
 */
export function releaseFleet(desk: Desk, wanted: string | null): Fleet {
  const { id, staggerS } = findFleet(desk.store, wanted);
  const released = changeFleet(desk.store, id, { staggerS: Math.min(staggerS ?? 0, 0) });
  ensureWatcher(desk);
  return released;
}
