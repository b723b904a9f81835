import { createHash } from "node:crypto";
import { SortieError } from "../../base/error.ts";
import { makeId } from "../../base/ids.ts";
import type { Desk } from "../desk.ts";
import { checkKept, findUse, insertPlan, loadPlanBody, markUsed, type PlanHead } from "../plan-row.ts";
import { sweepPlans } from "../sweep-plans.ts";

const EXPIRES_AFTER_MS = 24 * 3600 * 1000;

/** What must still hold when an action is confirmed; its other keys are the action's own. */
export interface Condition {
  readonly kind: string;
}

/** Everything that confirming will do, where it is not the launch of a run. No secret is part of it. */
export interface ActionPlan<Terms extends object = object, Rest extends Condition = Condition>
  extends PlanHead {
  /** A name in the table of actions. */
  readonly action: string;
  /** Bound by the hash, with action and side effects. */
  readonly terms: Terms;
  readonly restsOn: readonly Rest[];
  readonly notes: readonly string[];
  /** Every side effect, in words. */
  readonly sideEffects: readonly string[];
  /** The command that shows what became of it. */
  readonly look: string;
}

export type ActionDraft<Terms extends object, Rest extends Condition> = Omit<
  ActionPlan<Terms, Rest>,
  "id" | "createdAt" | "expiresAt" | "hash"
>;

/** Gives a draft an id and an end, and keeps it. `expiresAfterMs`: default 24 hours; where money is spent, less. */
export function saveAction<Terms extends object, Rest extends Condition>(
  desk: Desk,
  draft: ActionDraft<Terms, Rest>,
  options: { readonly expiresAfterMs?: number } = {},
): ActionPlan<Terms, Rest> {
  sweepPlans(desk);
  const now = desk.clock.now();
  const plan = {
    ...draft,
    id: makeId("p"),
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + (options.expiresAfterMs ?? EXPIRES_AFTER_MS)).toISOString(),
    hash: hashAction(draft),
  };
  insertPlan(desk, plan);
  return plan;
}

/** Whether the id names a plan of an action, not one of a run. @throws plan_unknown */
export function isActionPlan(desk: Desk, id: string): boolean {
  return loadPlanBody(desk, id).action !== undefined;
}

/** @throws plan_unknown, plan_used, plan_expired, plan_stale (the stored terms are not the ones that were shown) */
export function loadUsableAction(desk: Desk, id: string): ActionPlan {
  const body = loadPlanBody(desk, id);
  if (body.action === undefined) throw new SortieError("plan_unknown", { plan: id });
  const plan = body as ActionPlan;
  if (findUse(desk, id) !== null) throw makeUsedFault(plan);
  checkKept(desk, plan, hashAction(plan));
  return plan;
}

/** Only one confirmation gets it. @throws plan_used */
export function takeAction(desk: Desk, plan: ActionPlan): void {
  if (!markUsed(desk, plan.id, plan.action)) throw makeUsedFault(plan);
}

function hashAction({
  action,
  terms,
  sideEffects,
}: Pick<ActionPlan, "action" | "terms" | "sideEffects">): string {
  return createHash("sha256").update(JSON.stringify({ action, terms, sideEffects })).digest("hex");
}

function makeUsedFault({ id, action, look }: ActionPlan): SortieError {
  const next = `See what became of it with \`${look}\`.`;
  return new SortieError("plan_used", { plan: id, action, became: "it was carried out", next });
}
