import { SortieError } from "../../base/error.ts";
import type { Desk } from "../desk.ts";
import type { ActionCall, ActionOutcome } from "./action.ts";
import { type ActionPlan, loadUsableAction, takeAction } from "./action-plan.ts";
import { findAction } from "./table.ts";

/**
 * Carries out exactly the terms of a plan, once. Of two confirmations at the same time one gets it.
 * @throws plan_unknown, plan_used, plan_expired, plan_stale: then nothing was done
 */
export async function confirmAction(
  desk: Desk,
  id: string,
  call: ActionCall = { secrets: {} },
): Promise<{ plan: ActionPlan; outcome: ActionOutcome }> {
  const plan = loadUsableAction(desk, id);
  const action = await findAction(plan.action);
  if (action === undefined)
    throw new SortieError("plan_stale", {
      plan: id,
      changes: `this version of Sortie has no ${plan.action}`,
    });
  const changes = await action.findChanges(desk, plan, call);
  loadUsableAction(desk, id); // someone who confirmed it meanwhile is the better answer
  if (changes.length > 0) throw new SortieError("plan_stale", { plan: id, changes: changes.join("; ") });
  takeAction(desk, plan);
  return { plan, outcome: await action.execute(desk, plan.terms, call, plan) };
}
