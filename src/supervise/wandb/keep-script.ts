import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Rewrite } from "../../sync/rewrite.ts";
import type { Desk } from "../desk.ts";
import type { Plan } from "../plan.ts";
import { findPlanFolder } from "../plan-variables.ts";
import { changeScript, hashBytes, hashFile } from "./change-script.ts";

/** What a plan that changes a script rests on: the script is the one that was shown, or the new one already. */
export function checkScript(desk: Desk, plan: Plan): { rewrite: Rewrite | null; change: string | null } {
  const change = plan.terms.wandb?.change ?? null;
  if (change === null) return { rewrite: null, change: null };
  const found = hashFile(change.file);
  if (found !== change.from && found !== change.to)
    return { rewrite: null, change: `${change.name}, which it was to write to, is not what was shown` };
  const bytes = loadScript(desk, plan.id, change.to);
  if (bytes === null) return { rewrite: null, change: `what it was to write to ${change.name} is gone` };
  return { rewrite: { path: change.file, bytes }, change: null };
}

/** Makes the change of a plan. @throws wandb_script_changed, wandb_script_unwritable */
export function writeKeptScript(desk: Desk, { id, terms }: Plan): void {
  const change = terms.wandb?.change ?? null;
  if (change !== null) changeScript(change, loadScript(desk, id, change.to) ?? new Uint8Array());
}

function loadScript(desk: Desk, planId: string, hash: string): Buffer | null {
  try {
    const bytes = readFileSync(join(findPlanFolder(desk, planId), "script"));
    return hashBytes(bytes) === hash ? bytes : null;
  } catch {
    return null; // removed
  }
}
