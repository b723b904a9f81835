import type { Desk } from "../desk.ts";
import type { OnStep } from "../launch-steps.ts";
import { listLiveFleets } from "./fleet-store.ts";

/** Starts the next agents of each live fleet, ends those that shall not be started any more. For the watcher alone. */
export async function tendFleets(desk: Desk, _onStep: OnStep): Promise<void> {
  if (!isFleetLive(desk)) return;
}

/** Whether a fleet is left that must be looked after. */
export function isFleetLive(desk: Desk): boolean {
  return listLiveFleets(desk.store).length > 0;
}
