import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { listRuns } from "../runs/run-store.ts";
import type { Desk } from "./desk.ts";
import { findPlanFolder } from "./plan-variables.ts";
import { loadMetaText, parseMeta } from "./read-meta.ts";

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
  for (const folder of listUnknown(desk, nowMs)) rmSync(folder, { recursive: true, force: true });
}

/** Old folders of plans that neither the database nor a job folder knows. */
function listUnknown(desk: Desk, nowMs: number): string[] {
  const recorded = new Set(desk.store.list("SELECT id FROM plans").map((row) => row["id"]));
  const unrecorded = listNames(desk.home.plans).filter((name) => {
    const stats = recorded.has(name)
      ? undefined
      : statSync(join(desk.home.plans, name), { throwIfNoEntry: false });
    return stats !== undefined && nowMs - stats.mtimeMs > MAKING_MS;
  });
  if (unrecorded.length === 0) return [];
  const used = listUsedPlans(desk);
  return unrecorded.filter((name) => !used.has(name)).map((name) => join(desk.home.plans, name));
}

/** After a lost database the runs alone tell which plans became runs, adopted or not: their code lies there. */
function listUsedPlans(desk: Desk): Set<string> {
  const known = listRuns(desk.store).map((run) => run.plan);
  const launched = listNames(desk.home.jobs).flatMap(
    (name) => parseMeta(loadMetaText(join(desk.home.jobs, name)))?.plan ?? [],
  );
  return new Set([...known, ...launched]);
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nothing has had files there yet
  }
}
