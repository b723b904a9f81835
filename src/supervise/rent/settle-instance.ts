import { loadRun } from "../../runs/run-store.ts";
import type { Desk } from "../desk.ts";
import { isSilence } from "../silence.ts";
import { giveUpRental } from "./give-up-rental.ts";
import type { Instance } from "./instance.ts";
import { tearDown } from "./tear-down.ts";

/** Does what is to be done about a rented machine now. false: its host or its vendor does not answer. */
export async function settleInstance(desk: Desk, { run, state }: Instance): Promise<boolean> {
  try {
    const isUnused =
      state === "intended" || state === "created" || loadRun(desk.store, run).state === "planned";
    if (isUnused) await giveUpRental(desk, run);
    else await tearDown(desk, run);
    return true;
  } catch (fault) {
    if (isSilence(fault)) return false;
    throw fault;
  }
}
