import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../base/error.ts";
import { isEachValue, isText, parseJson } from "../base/shape.ts";
import { removeFile, writeFileAtomic } from "../disk/atomic-file.ts";
import type { Desk } from "./desk.ts";
import type { Plan } from "./plan.ts";

/** The folder of a plan: its secret values until it is used, and the code that was recorded for it. */
export function findPlanFolder(desk: Desk, planId: string): string {
  return join(desk.home.plans, planId);
}

/** Where git's objects of the plan's code lie. */
export function findObjects(desk: Desk, planId: string): string {
  return join(findPlanFolder(desk, planId), "objects");
}

/** Keeps a file beside a plan that is too long for it. */
export function keepFile(desk: Desk, planId: string, name: "script" | "launcher", bytes: Uint8Array): void {
  mkdirSync(findPlanFolder(desk, planId), { recursive: true, mode: 0o700 });
  writeFileAtomic(join(findPlanFolder(desk, planId), name), bytes, { mode: 0o600 });
}

/** Keeps the values of --env and --env-file in a file of mode 0600; the plan itself holds their names alone. */
export function saveVariables(desk: Desk, planId: string, variables: Readonly<Record<string, string>>): void {
  if (Object.keys(variables).length === 0) return;
  mkdirSync(findPlanFolder(desk, planId), { recursive: true, mode: 0o700 });
  writeFileAtomic(findFile(desk, planId), JSON.stringify(variables), { mode: 0o600 });
}

/** @throws plan_stale when the values are gone */
export function loadVariables(desk: Desk, plan: Plan): Readonly<Record<string, string>> {
  const { request, wandb } = plan.terms;
  return loadValues(desk, plan.id, [...request.envNames, ...(wandb?.carried ?? [])]);
}

/** Those of these names, of a plan of either kind. @throws plan_stale when the values are gone */
export function loadValues(
  desk: Desk,
  plan: string,
  names: readonly string[],
): Readonly<Record<string, string>> {
  if (names.length === 0) return {};
  const values = readValues(findFile(desk, plan));
  if (values && names.every((name) => Object.hasOwn(values, name))) return values;
  // Nobody can ever confirm it: a half-written file of values goes with it.
  rmSync(findPlanFolder(desk, plan), { recursive: true, force: true });
  throw new SortieError("plan_stale", { plan, changes: "the values of its variables are gone" });
}

export function removeVariables(desk: Desk, planId: string): void {
  removeFile(findFile(desk, planId));
}

function readValues(path: string): Record<string, string> | null {
  try {
    return parseJson(readFileSync(path, "utf8"), isEachValue<string>(isText));
  } catch {
    return null; // removed, or it can no longer be read
  }
}

function findFile(desk: Desk, planId: string): string {
  return join(findPlanFolder(desk, planId), "variables.json");
}
