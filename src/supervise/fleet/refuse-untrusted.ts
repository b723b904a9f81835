import { SortieError } from "../../base/error.ts";
import type { Desk } from "../desk.ts";
import { nameContract } from "../environment/contract-terms.ts";
import { forgetPlans } from "../forget-plans.ts";
import type { Plan } from "../plan.ts";

/**
 * The watcher starts the agents of a fleet, one after the other: the environment under contract has to be ready before.
 * Where it is not, the pattern is forgotten. @throws environment_due
 */
export function refuseUntrusted(desk: Desk, pattern: Plan): void {
  const { contract = null } = pattern.terms.environment;
  if (contract === null) return;
  const isThere = contract.action === "reuse" || contract.action === "check";
  const reasons = contract.due.map(({ tier, why }) => `tier ${tier}: ${why}`);
  if (isThere && reasons.length === 0) return;
  forgetPlans(desk, [pattern.id]);
  const reason = isThere ? reasons.join("; ") : contract.why;
  throw new SortieError("environment_due", { environment: nameContract(contract), reason });
}
