import { SortieError } from "../base/error.ts";
import type { Desk } from "./desk.ts";

/** What every plan has, whatever it is a plan of. */
export interface PlanHead {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly hash: string;
  /** The name of an action; a plan without it is one of a run. */
  readonly action?: string;
  /** Of an action that launches a run: the name that this is to have. */
  readonly runName?: string;
}

export function insertPlan(desk: Desk, plan: PlanHead): void {
  desk.store.change(
    "INSERT INTO plans (id, created_at, expires_at, body) VALUES (?, ?, ?, ?)",
    ...[plan.id, plan.createdAt, plan.expiresAt, JSON.stringify(plan)],
  );
}

/** Of either kind. @throws plan_unknown */
export function loadPlanBody(desk: Desk, id: string): PlanHead {
  const row = desk.store.find("SELECT body FROM plans WHERE id = ?", id);
  if (!row) throw new SortieError("plan_unknown", { plan: id });
  return JSON.parse(row["body"] as string) as PlanHead;
}

/** Bodies of plans that may still be confirmed, of either kind. */
export function listOpenPlans(desk: Desk): PlanHead[] {
  return desk.store
    .list("SELECT body FROM plans WHERE run_id IS NULL AND expires_at > ?", desk.clock.now().toISOString())
    .map((row) => JSON.parse(row["body"] as string) as PlanHead);
}

/** What the plan became: the id of a run, the name of an action; null while nobody has confirmed it. */
export function findUse(desk: Desk, id: string): string | null {
  return (desk.store.find("SELECT run_id FROM plans WHERE id = ?", id)?.["run_id"] as string | null) ?? null;
}

/** False where another confirmation had it first. */
export function markUsed(desk: Desk, id: string, use: string): boolean {
  return desk.store.change("UPDATE plans SET run_id = ? WHERE id = ? AND run_id IS NULL", use, id) === 1;
}

/** @throws plan_expired, plan_stale (the stored terms are not the ones that were shown) */
export function checkKept(desk: Desk, plan: PlanHead, hash: string): void {
  if (desk.clock.now().toISOString() >= plan.expiresAt)
    throw new SortieError("plan_expired", { plan: plan.id, expiresAt: plan.expiresAt });
  if (hash === plan.hash) return;
  const changes = "its stored terms are not the ones that were shown";
  throw new SortieError("plan_stale", { plan: plan.id, changes });
}
