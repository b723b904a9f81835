import { makeId } from "../../base/ids.ts";
import { appendEvent } from "../../runs/events.ts";
import { makeNewRun } from "../../runs/new-run.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { insertRun } from "../../runs/run-store.ts";
import type { ActionPlan } from "../actions/action-plan.ts";
import type { Desk } from "../desk.ts";
import { checkBudget } from "./check-budget.ts";
import { insertInstance } from "./instance-store.ts";
import type { RentalTerms } from "./rental-terms.ts";

/**
 * The run and the machine that is to be rented for it appear in one step, before the vendor is asked for anything: the run's id
 * is the machine's label. @throws run_name_taken, rent_over_budget
 */
export function recordRental(
  desk: Desk,
  terms: RentalTerms,
  { id: plan, notes }: Pick<ActionPlan, "id" | "notes">,
): RunRecord {
  const run = makeRecord(desk, terms, plan, notes);
  desk.store.together(() => {
    checkBudget(desk, terms);
    insertRun(desk.store, run);
    insertInstance(desk.store, {
      ...{ run: run.id, number: null, state: "intended", isRented: true, isGuarded: false },
      ...{ autoDestroy: terms.autoDestroy, dollarsPerHour: terms.offer.dollarsPerHour },
      ...{ mostDollars: terms.mostDollars, budget: terms.budget },
      since: desk.clock.now().toISOString(),
      ...{ goneAt: null, earlier: [], keptFor: null },
      launcher: desk.identity,
    });
    appendEvent(desk.store, run.id, "plan_used", { plan }, desk.clock.now());
  });
  return run;
}

/** Where it lies and what it runs in is known once there is a machine. */
function makeRecord(
  desk: Desk,
  { name, target, request }: RentalTerms,
  plan: string,
  notes: readonly string[],
): RunRecord {
  const facts = makeNewRun({
    ...{ id: makeId("r"), name, plan, target, kind: "vast", host: "vast.ai", request, notes },
    environment: { label: "not known yet", python: null },
    ...{ git: null, createdAt: desk.clock.now().toISOString(), jobFolder: "" },
    expected: { seconds: request.expectS, source: request.expectS === null ? "unknown" : "flag" },
    ...{ launcher: desk.identity, startIntentAt: null, remote: null },
  });
  return { ...facts, state: "planned", waitingFor: "a machine that is being rented" };
}
