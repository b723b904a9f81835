import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Desk } from "./desk.ts";
import { findPlanFolder } from "./plan-variables.ts";

/** No plan takes so long to make: its maker was killed. */
const MAKING_MS = 3600 * 1000;
/** So long `sortie confirm` still says that a plan expired, and not that there is none. */
const REMEMBERED_MS = 7 * 24 * 3600 * 1000;

/**
 * Removes what plans left on disk that nobody can confirm any more, secret values first of all: plans that expired
 * unused, and folders whose maker was killed before the plan was on record.
 */
export function sweepPlans(desk: Desk): void {
  const nowMs = desk.clock.now().getTime();
  const unused = "run_id IS NULL AND expires_at <= ?";
  const expired = desk.store.list(`SELECT id FROM plans WHERE ${unused}`, new Date(nowMs).toISOString());
  for (const { id } of expired) rmSync(findPlanFolder(desk, String(id)), { recursive: true, force: true });
  desk.store.change(`DELETE FROM plans WHERE ${unused}`, new Date(nowMs - REMEMBERED_MS).toISOString());
  for (const folder of listUnrecorded(desk)) {
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats && nowMs - stats.mtimeMs > MAKING_MS) rmSync(folder, { recursive: true, force: true });
  }
}

function listUnrecorded(desk: Desk): string[] {
  const folders = listNames(desk.home.plans);
  if (folders.length === 0) return [];
  const known = new Set(desk.store.list("SELECT id FROM plans").map((row) => row["id"]));
  return folders.filter((name) => !known.has(name)).map((name) => join(desk.home.plans, name));
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no plan has had files yet
  }
}
