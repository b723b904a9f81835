import { rmSync } from "node:fs";
import type { Desk } from "./desk.ts";
import { findPlanFolder } from "./plan-variables.ts";

/** Forgets plans that nobody will confirm, so that the names in them are free again. One that was used stays. */
export function forgetPlans(desk: Desk, ids: readonly string[]): void {
  for (const id of ids) {
    const isForgotten = desk.store.change("DELETE FROM plans WHERE id = ? AND run_id IS NULL", id) === 1;
    if (isForgotten) rmSync(findPlanFolder(desk, id), { recursive: true, force: true });
  }
}
