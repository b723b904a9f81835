import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../base/error.ts";
import { makeToken } from "../base/ids.ts";
import { listChangedFiles } from "../config/footprint.ts";
import { compareProvenance } from "../sync/compare-provenance.ts";
import type { Target } from "../targets/target.ts";
import { type CheckedGpus, checkGpuTerms } from "./check-gpu-terms.ts";
import { listMissing } from "./check-inputs.ts";
import type { Desk } from "./desk.ts";
import type { Plan } from "./plan.ts";
import { findObjects, findPlanFolder } from "./plan-variables.ts";
import { findOwnFiles, recordCode } from "./record-code.ts";

/** Checks everything that a plan rests on, at once. @throws plan_stale with what changed */
export async function checkPlan(
  desk: Desk,
  plan: Plan,
  target: Target,
  options: { justMade: boolean },
): Promise<CheckedGpus> {
  const [gpus, code, config] = await Promise.all([
    checkGpuTerms(desk, plan, target, options),
    // What was recorded a moment ago, and nobody has thought over, need not be looked at twice.
    options.justMade ? null : checkCode(desk, plan),
    checkConfig(desk, plan),
  ]);
  const changes = [
    gpus.change,
    code,
    config,
    checkFolder(plan),
    checkPython(plan),
    checkData(plan),
    checkName(desk, plan),
  ].filter((change) => change !== null);
  if (changes.length > 0) throw new SortieError("plan_stale", { plan: plan.id, changes: changes.join("; ") });
  return gpus;
}

async function checkCode(desk: Desk, plan: Plan): Promise<string | null> {
  const { code, request, ownFiles } = plan.terms;
  const now = join(findPlanFolder(desk, plan.id), `check-${makeToken()}`);
  try {
    const found = await recordCode(desk, request, {
      objectsDir: now,
      ownFiles: [...ownFiles, ...findOwnFiles()],
    });
    return await compareProvenance(desk.runner, code, found, {
      objectsDirs: [findObjects(desk, plan.id), now],
      env: desk.env,
    });
  } finally {
    rmSync(now, { recursive: true, force: true });
  }
}

/** Unchanged files need no parsing; in changed ones only what the target's section means counts. */
async function checkConfig(desk: Desk, plan: Plan): Promise<string | null> {
  const rest = plan.restsOn.find((predicate) => predicate.kind === "config");
  if (rest?.kind !== "config") return null;
  const changed = listChangedFiles(rest.files);
  if (changed.length === 0) return null;
  const { hashTargetNow } = await import("./choose-target.ts");
  const { request } = plan.terms;
  const hash = await hashTargetNow(desk, { cwd: request.configFrom ?? request.cwd, wanted: rest.target });
  return hash === rest.hash
    ? null
    : `the target ${rest.target} is configured differently now (${changed.join(", ")})`;
}

function checkFolder({ terms }: Plan): string | null {
  const there = statSync(terms.request.cwd, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return there ? null : `the folder ${terms.request.cwd} is gone`;
}

function checkPython({ terms }: Plan): string | null {
  const path = terms.environment.python?.path;
  return path === undefined || existsSync(path) ? null : `the interpreter ${path} is gone`;
}

function checkData({ restsOn, terms }: Plan): string | null {
  const paths = restsOn.flatMap((predicate) => (predicate.kind === "inputs" ? predicate.paths : []));
  const missing = listMissing(paths, { cwd: terms.request.cwd, home: "" });
  return missing.length === 0 ? null : `its data is gone: ${missing.join(", ")}`;
}

function checkName(desk: Desk, { terms }: Plan): string | null {
  const row = desk.store.find("SELECT id FROM runs WHERE name = ? AND live = 1", terms.name);
  return row ? `a live run is already called ${terms.name} (${row["id"]})` : null;
}
