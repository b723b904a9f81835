import { describeFault, SortieError } from "../../base/error.ts";
import { appendEvent } from "../../runs/events.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { loadRun } from "../../runs/run-store.ts";
import { type ActionCall, defineAction } from "../actions/action.ts";
import type { ActionPlan } from "../actions/action-plan.ts";
import { confirmPlan } from "../confirm-plan.ts";
import type { Desk } from "../desk.ts";
import { findAddress } from "../find-target.ts";
import type { OnStep } from "../launch-steps.ts";
import { makeLaunchDocument } from "../make-document.ts";
import type { Plan } from "../plan.ts";
import { planRun } from "../plan-run.ts";
import { ensureWatcher } from "../watcher.ts";
import { findRentalChanges } from "./find-rental-changes.ts";
import { giveUpRental } from "./give-up-rental.ts";
import type { GuardPace } from "./guard-pace.ts";
import { findInstanceOf } from "./instance-store.ts";
import { keepInstance } from "./keep-instance.ts";
import { loadRentalTarget } from "./load-rental-target.ts";
import { attendMachine } from "./mark-attended.ts";
import { recordRental } from "./record-rental.ts";
import { rentInstance } from "./rent-instance.ts";
import type { OnRentStep } from "./rent-steps.ts";
import type { RentalCondition, RentalTerms } from "./rental-terms.ts";
import { loadRentalVariables } from "./rental-variables.ts";
import { startGuard } from "./start-guard.ts";

export const action = defineAction<RentalTerms, RentalCondition>({
  findChanges: findRentalChanges,
  async execute(desk, terms, call, plan) {
    const launched = await executeRental(desk, terms, call, plan);
    return { document: makeLaunchDocument(launched.plan, launched.run), words: [] };
  },
});

/**
 * Rents, and launches what was confirmed on what was rented: from there on it is a run like any other on a host over ssh.
 * @throws what keeps it from being launched; what becomes of the machine then is on record
 */
export async function executeRental(
  desk: Desk,
  terms: RentalTerms,
  call: ActionCall & {
    readonly onStep?: OnRentStep;
    readonly onLaunchStep?: OnStep;
    readonly guardPace?: Partial<GuardPace>;
  },
  plan: Pick<ActionPlan, "id" | "notes">,
): Promise<{ plan: Plan; run: RunRecord }> {
  const { onStep = () => undefined, onLine = () => undefined, signal } = call;
  const variables = loadRentalVariables(desk, plan.id, terms);
  const run = recordRental(desk, terms, plan);
  onStep("plan_used");
  try {
    ensureWatcher(desk); // where this process dies, it sees to the machine
    const target = await loadRentalTarget(desk, terms);
    const placed = await rentInstance(desk, run, terms, target, { onStep, onNews: onLine, signal });
    onLine("planning the launch there");
    const inner = await planRun(desk, terms.request, placed, variables, { as: run });
    checkSame(inner, terms);
    const { onNews, onProgress, onLaunchStep, askPerson, guardPace: pace } = call;
    await startGuard(desk, run, { terms, plan: inner, pace, onLine, askPerson });
    const options = {
      ...(onLaunchStep && { onStep: onLaunchStep }),
      ...(onNews && { onNews }),
      ...(onProgress && { onProgress }),
      ...(signal && { signal }),
    };
    const place = { run: run.id, address: findAddress(inner.terms) };
    return await attendMachine(desk, place, () =>
      confirmPlan(desk, inner.id, { ...options, as: run, justMade: true }),
    );
  } catch (fault) {
    await endRental(desk, run, fault, onLine);
    throw fault;
  }
}

/** What is sent, and what is built there, is what was confirmed. */
function checkSame({ terms: { remote, environment } }: Plan, { sent, contract }: RentalTerms): void {
  const isSent = remote?.sync.kind === "rsync" && remote.sync.hash === sent.hash;
  const { name, hash } = environment.contract ?? {};
  if (isSent && name === contract?.name && hash === contract?.hash) return;
  throw new SortieError("rent_code_changed");
}

/** A run that may live after all keeps its machine; any other leaves none behind that was not agreed on. */
async function endRental(
  desk: Desk,
  { id }: RunRecord,
  fault: unknown,
  onLine: (line: string) => void,
): Promise<void> {
  if (fault instanceof SortieError && fault.code === "launch_unsure") return;
  const reason = describeFault(fault);
  appendEvent(desk.store, id, "rental_failed", { reason }, desk.clock.now());
  const { state } = loadRun(desk.store, id);
  if (state !== "planned" && state !== "failed" && state !== "stopped") return; // the watcher sees to what may still start
  try {
    await giveUpRental(desk, id, { reason, mayBeLate: !isSurelyNone(fault) });
  } catch (other) {
    // Why it was not launched is the better answer; the watcher goes on with the machine.
    const instance = findInstanceOf(desk.store, id);
    const what = describeFault(other);
    if (instance !== null) await keepInstance(desk, instance, what);
    onLine(`what was rented may still cost money, and is seen to again: ${what}; look: sortie vast ls`);
  }
}

/** All tries were cleared away before. */
function isSurelyNone(fault: unknown): boolean {
  return fault instanceof SortieError && (fault.code === "rent_no_offer" || fault.code === "rent_tries_used");
}
