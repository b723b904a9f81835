import { isProcessAlive } from "../../process/identity.ts";
import { loadRun } from "../../runs/run-store.ts";
import { isEnded } from "../../runs/states.ts";
import type { Desk } from "../desk.ts";
import type { Instance } from "./instance.ts";
import { listOpenInstances } from "./instance-store.ts";

/** Rented machines that something is to be done about: their renter died, their destruction was begun, or their run is home. */
export function listDueInstances(desk: Desk): Instance[] {
  return listOpenInstances(desk.store).filter((instance) => isDue(desk, instance));
}

function isDue(desk: Desk, { state, run: id, launcher, keptFor }: Instance): boolean {
  if (state === "destroy_intended") return true;
  const run = loadRun(desk.store, id);
  // What lives elsewhere cannot be judged from here: it is left to that place.
  const isDead = isProcessAlive(launcher) === false;
  if (state === "intended" || state === "created") return isDead || isEnded(run.state);
  if (run.state === "planned") return isDead;
  return keptFor === null && isEnded(run.state) && run.results !== null;
}
