import { rmSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../base/error.ts";
import { makeToken } from "../base/ids.ts";
import { listChangedFiles } from "../config/footprint.ts";
import type { EnvironmentStatus } from "../env/build/environment-status.ts";
import { compareProvenance } from "../sync/compare-provenance.ts";
import type { Rewrite } from "../sync/rewrite.ts";
import type { ContractQuestion, Preflight, Target } from "../targets/target.ts";
import { type CheckedGpus, checkGpuTerms, restsOnGpus } from "./check-gpu-terms.ts";
import type { Desk } from "./desk.ts";
import type { ContractTerms } from "./environment/contract-terms.ts";
import { checkContract } from "./environment/plan-for-run.ts";
import type { Plan } from "./plan.ts";
import { findObjects, findPlanFolder } from "./plan-variables.ts";
import { findOwnFiles, recordCode } from "./record-code.ts";
import { checkSync } from "./remote/check-sync.ts";

/** What a plan rests on, as it is now. */
export interface CheckedPlan extends CheckedGpus {
  /** What the host has of the environment under contract; null: there is none, or it was not asked about. */
  readonly status: EnvironmentStatus | null;
}

/** Checks everything that a plan rests on, at once. @throws plan_stale with what changed */
export async function checkPlan(
  desk: Desk,
  plan: Plan,
  target: Target,
  options: { readonly justMade: boolean; readonly run?: string | null },
): Promise<CheckedPlan> {
  const script = await checkScript(desk, plan);
  const [host, code, sync, config, instance, modal] = await Promise.all([
    (options.justMade && desk.preflights.get(plan.id)) || askHost(plan, target),
    // What was recorded a moment ago, and nobody has thought over, need not be looked at twice.
    options.justMade ? null : checkCode(desk, plan, script.rewrite),
    options.justMade ? null : checkSync(desk, plan.terms, script.rewrite),
    checkConfig(desk, plan),
    options.justMade ? null : checkInstance(desk, plan),
    options.justMade ? null : checkModal(desk, plan),
  ]);
  const isRemote = Boolean(plan.terms.remote);
  const gpus = checkGpuTerms(desk, plan, host.gpus, options);
  const changes = [
    gpus.change,
    script.change ?? code ?? sync,
    config,
    instance,
    isRemote || host.isFolderThere ? null : `the folder ${host.folder} is gone`,
    modal,
    checkPython(plan, host),
    checkContract(plan, host.contract, gpus.candidates),
    checkData(plan, host),
    checkName(desk, plan, options.run ?? null),
  ].filter((change) => change !== null);
  if (changes.length > 0) throw new SortieError("plan_stale", { plan: plan.id, changes: changes.join("; ") });
  return { ...gpus, status: host.contract };
}

/** One question to the host about all that the plan rests on there. */
function askHost(plan: Plan, target: Target): Promise<Preflight> {
  const { request, environment, remote } = plan.terms;
  return target.preflight({
    ...{ environment: null, command: request.command, project: [] },
    ...{ folder: remote?.folder ?? request.cwd, ...(remote && { codeDir: remote.codeDir }) },
    contract: makeQuestion(environment.contract ?? null, plan),
    inputs: [...(environment.python ? [environment.python.path] : []), ...listInputs(plan)],
    gpus: restsOnGpus(plan),
  });
}

/** A person's own was entered when the plan was made: its Python is asked about by its path. */
function makeQuestion(contract: ContractTerms | null, plan: Plan): ContractQuestion | null {
  if (contract === null || contract.owner === "person") return null;
  const { envsDir, name, hash, inputs } = contract;
  return { envsDir, name, hash, inputs, isOwn: false, asksCards: restsOnGpus(plan) };
}

function listInputs({ restsOn }: Plan): string[] {
  return restsOn.flatMap((predicate) => (predicate.kind === "inputs" ? predicate.paths : []));
}

/** A script that the plan is to write to. */
async function checkScript(
  desk: Desk,
  plan: Plan,
): Promise<{ readonly rewrite: Rewrite | null; readonly change: string | null }> {
  if (!plan.terms.wandb?.change) return { rewrite: null, change: null };
  return (await import("./wandb/keep-script.ts")).checkScript(desk, plan);
}

async function checkCode(desk: Desk, plan: Plan, rewrite: Rewrite | null): Promise<string | null> {
  const { code, request, ownFiles } = plan.terms;
  const now = join(findPlanFolder(desk, plan.id), `check-${makeToken()}`);
  try {
    const found = await recordCode(desk, request, {
      objectsDir: now,
      ownFiles: [...ownFiles, ...findOwnFiles()],
      rewrite,
    });
    return await compareProvenance(desk.runner, code, found, {
      objectsDirs: [findObjects(desk, plan.id), now],
      env: desk.env,
      ownFiles,
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

async function checkInstance(desk: Desk, { terms: { instance } }: Plan): Promise<string | null> {
  return instance ? (await import("./rent/check-instance.ts")).checkInstance(desk, instance) : null;
}

async function checkModal(desk: Desk, plan: Plan): Promise<string | null> {
  return plan.terms.modal ? (await import("./modal/check-modal.ts")).checkModal(desk, plan) : null;
}

function checkPython({ terms }: Plan, { missing }: Preflight): string | null {
  const path = terms.environment.python?.path;
  return path !== undefined && missing.includes(path) ? `the interpreter ${path} is gone` : null;
}

function checkData(plan: Plan, { missing, folder }: Preflight): string | null {
  const gone = listInputs(plan).filter((path) => missing.includes(path));
  const places = gone.map((path) => (/^[~/]/.test(path) ? path : join(folder, path)));
  return gone.length === 0 ? null : `its data is gone: ${places.join(", ")}`;
}

/** @param own the run on record that it becomes */
function checkName(desk: Desk, { terms }: Plan, own: string | null): string | null {
  const row = desk.store.find("SELECT id FROM runs WHERE name = ? AND live = 1", terms.name);
  return row && row["id"] !== own ? `a live run is already called ${terms.name} (${row["id"]})` : null;
}
