import { describeFault, SortieError } from "../../base/error.ts";
import { loadRun } from "../../runs/run-store.ts";
import type { Desk } from "../desk.ts";
import { isSilence } from "../silence.ts";
import { giveUpRental } from "./give-up-rental.ts";
import type { Instance } from "./instance.ts";
import { findInstanceOf } from "./instance-store.ts";
import { keepInstance } from "./keep-instance.ts";
import type { OnRentStep } from "./rent-steps.ts";
import { tearDown } from "./tear-down.ts";

/**
 * Does what is to be done about a rented machine now. false: its host or its vendor does not answer, or the vendor refuses:
 * that is told, and tried again later, for the machine costs money all the while.
 */
export async function settleInstance(
  desk: Desk,
  { run, state }: Instance,
  onStep: OnRentStep = () => undefined,
): Promise<boolean> {
  try {
    const isUnused =
      state === "intended" || state === "created" || loadRun(desk.store, run).state === "planned";
    if (isUnused) await giveUpRental(desk, run);
    else await tearDown(desk, run, onStep);
    return true;
  } catch (fault) {
    if (!(fault instanceof SortieError)) throw fault;
    const instance = findInstanceOf(desk.store, run);
    if (instance !== null && !isNobodyThere(fault))
      await keepInstance(desk, instance, describeFault(fault), { as: fault.code });
    return false;
  }
}

/** A laptop without a network: it passes, and nothing is wrong with the machine. */
function isNobodyThere(fault: SortieError): boolean {
  return fault.code === "vast_away" || fault.code === "interrupted" || isSilence(fault);
}
