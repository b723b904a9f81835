import { createHash } from "node:crypto";
import { SortieError } from "../base/error.ts";
import { makeId } from "../base/ids.ts";
import type { GpuPredicate } from "../gpus/check-gpus.ts";
import type { GpuChoice } from "../gpus/choose-gpus.ts";
import type { RemotePlace, RunRequest } from "../runs/run-record.ts";
import type { Provenance } from "../sync/provenance.ts";
import type { Desk } from "./desk.ts";
import type { ContractTerms } from "./environment/contract-terms.ts";
import type { ModalTerms } from "./modal/modal-terms.ts";
import {
  checkKept,
  findUse,
  insertPlan,
  listOpenPlans,
  loadPlanBody,
  markUsed,
  type PlanHead,
} from "./plan-row.ts";
import type { SyncTerms } from "./remote/sync-terms.ts";
import type { ChosenInstance } from "./rent/find-instance.ts";
import type { WandbTerms } from "./wandb/wandb-terms.ts";

const EXPIRES_AFTER_MS = 24 * 3600 * 1000;

/** Everything that confirming a plan will do. Bound by the plan's hash, but for the GPU preference. */
export interface PlanTerms {
  readonly name: string;
  readonly target: { readonly name: string; readonly kind: string; readonly host: string };
  readonly request: RunRequest;
  /** null, or absent in an older plan: it runs on this machine, in the folder of its request. */
  readonly remote?: RemoteTerms | null;
  /** The rented machine that it runs on; null or absent: none is. */
  readonly instance?: ChosenInstance | null;
  readonly environment: {
    readonly label: string;
    readonly lines: readonly string[];
    readonly shell: "sh" | "bash";
    readonly python: { readonly path: string; readonly version: string | null } | null;
    /** What `python` and `python3` as the command's program stand for; null: what PATH says. */
    readonly interpreter: string | null;
    /** null, or absent in an older plan: it is under no contract. */
    readonly contract?: ContractTerms | null;
  };
  readonly gpus: {
    readonly count: number | "none";
    readonly model: string | null;
    readonly memoryTotalMiB: number | null;
    /** A GPU is free only below this. */
    readonly freeMemoryMiB: number;
    /** UUIDs, the first choice first; which of them is taken is decided at the start. */
    readonly preferred: readonly string[];
    readonly why: string;
  };
  /** null or absent: it does nothing for W&B. */
  readonly wandb?: WandbTerms | null;
  /** What it is at Modal; null or absent: it runs on a machine. */
  readonly modal?: ModalTerms | null;
  readonly code: Provenance;
  /** Files that the planning command wrote its own output to; they are no code, also later. */
  readonly ownFiles: readonly string[];
  readonly jobDir: string;
  readonly expected: {
    readonly seconds: number | null;
    readonly source: "flag" | "earlier_runs" | "unknown";
  };
  /** Every side effect, in words. */
  readonly sideEffects: readonly string[];
}

/** What is done on a host over the network before a run starts there. */
export interface RemoteTerms extends RemotePlace {
  /** How the code gets there. */
  readonly sync: SyncTerms;
  /** It starts in a copy of its own. */
  readonly freeze: boolean;
}

/** The choice, or why the run must wait for one. */
export type GpusOfRun =
  | { readonly choice: GpuChoice; readonly busy: null }
  | { readonly choice: null; readonly busy: string };

/** What must still hold when the plan is confirmed. */
export type Predicate =
  | { readonly kind: "gpus"; readonly gpus: GpuPredicate }
  | { readonly kind: "code"; readonly state: string }
  | ConfigPredicate
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "python"; readonly path: string }
  /** Under its contract nothing more has to be done than the terms say. */
  | { readonly kind: "environment"; readonly name: string; readonly hash: string }
  /** The data that the target's section names is there; paths or patterns of its host. */
  | { readonly kind: "inputs"; readonly paths: readonly string[] }
  /** The rented machine runs, and costs no more. */
  | { readonly kind: "instance"; readonly number: number; readonly dollarsPerHour: number }
  | ModalPredicate
  | { readonly kind: "name"; readonly name: string };

/** Somebody is logged in at Modal, and these are there. */
export interface ModalPredicate {
  readonly kind: "modal";
  readonly secrets: readonly string[];
  readonly volumes: readonly string[];
  /** For people: what names them. */
  readonly places: { readonly secrets: string; readonly volumes: string };
}

/** What the target's section means is what it was; `files` are the hashes of the files that it was read from. */
export interface ConfigPredicate {
  readonly kind: "config";
  readonly target: string;
  readonly hash: string;
  readonly files: Readonly<Record<string, string>>;
}

/** The plan of a run. */
export interface Plan extends PlanHead {
  readonly action?: undefined;
  readonly terms: PlanTerms;
  readonly restsOn: readonly Predicate[];
  readonly notes: readonly string[];
}

/** Gives terms an id and an end, and keeps them. Two equal requests are two plans. */
export function savePlan(desk: Desk, plan: Omit<Plan, "createdAt" | "expiresAt" | "hash">): Plan {
  const now = desk.clock.now();
  const whole: Plan = {
    ...plan,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + EXPIRES_AFTER_MS).toISOString(),
    hash: hashTerms(plan.terms),
  };
  insertPlan(desk, whole);
  return whole;
}

export function makePlanId(): string {
  return makeId("p");
}

/** @throws plan_unknown, also for a plan that is not one of a run */
export function loadPlan(desk: Desk, id: string): Plan {
  const plan = loadPlanBody(desk, id);
  if (!isRunPlan(plan)) throw new SortieError("plan_unknown", { plan: id });
  return plan;
}

/** @throws plan_unknown, plan_used, plan_expired, plan_stale (the stored terms are not the ones that were shown) */
export function loadUsablePlan(desk: Desk, id: string): Plan {
  const plan = loadPlan(desk, id);
  const run = findUse(desk, id);
  if (run !== null) throw makeUsedFault(id, run);
  checkKept(desk, plan, hashTerms(plan.terms));
  return plan;
}

/** Marks the plan as used by a run; inside the caller's transaction, so that only one confirmation gets it. */
export function takePlan(desk: Desk, id: string, runId: string): void {
  if (!markUsed(desk, id, runId)) throw makeUsedFault(id, findUse(desk, id) ?? "unknown");
}

/** Names of plans that may still be confirmed. */
export function listPlannedNames(desk: Desk): string[] {
  return listOpenPlans(desk).flatMap((plan) => (isRunPlan(plan) ? plan.terms.name : (plan.runName ?? [])));
}

function isRunPlan(plan: PlanHead): plan is Plan {
  return plan.action === undefined;
}

function makeUsedFault(plan: string, run: string): SortieError {
  const became = `it became the run ${run}`;
  const next = `See it with \`sortie show ${run}\`; to run the same again: \`sortie rerun ${run}\`.`;
  return new SortieError("plan_used", { plan, run, became, next });
}

function hashTerms(terms: PlanTerms): string {
  const { preferred: _, ...gpus } = terms.gpus;
  return createHash("sha256")
    .update(JSON.stringify({ ...terms, gpus }))
    .digest("hex");
}
