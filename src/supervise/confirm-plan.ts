import { join } from "node:path";
import { describeFault, SortieError } from "../base/error.ts";
import { makeId } from "../base/ids.ts";
import { appendEvent } from "../runs/events.ts";
import { makeNewRun } from "../runs/new-run.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { insertRun, moveRun } from "../runs/run-store.ts";
import type { Target, Transfer } from "../targets/target.ts";
import { type CheckedPlan, checkPlan } from "./check-plan.ts";
import type { Desk } from "./desk.ts";
import { endFailedLaunch } from "./end-failed-launch.ts";
import type { EnvironmentNews } from "./environment/ready-environment.ts";
import { findAddress, makeTarget } from "./find-target.ts";
import { isAtOrNamed } from "./group-by-host.ts";
import { isGpuTaken, launchRun } from "./launch-run.ts";
import { type OnStep, SCRIPT_STEP } from "./launch-steps.ts";
import { describeRunModal } from "./modal/describe-run.ts";
import { parkRun } from "./park-run.ts";
import { loadUsablePlan, type Plan, type PlanTerms, takePlan } from "./plan.ts";
import { loadVariables, removeVariables } from "./plan-variables.ts";
import { loadCode } from "./remote/load-code.ts";
import { keepEntry } from "./rent/instances-file/keep-entry.ts";
import { recordInstance } from "./rent/record-instance.ts";
import { settleRuns } from "./settle-runs.ts";
import { addForward } from "./wandb/forward/forward-list.ts";
import type { WandbTerms } from "./wandb/wandb-terms.ts";
import { ensureWatcher } from "./watcher.ts";

export type { EnvironmentNews, Transfer };

/**
 * Runs exactly the terms of a plan, once. Of two confirmations at the same time one gets it.
 * `justMade`: nobody has thought over the plan meanwhile, so that a GPU gone since is told as if it had been planned now.
 * @throws plan_unknown, plan_used, plan_expired, plan_stale, gpus_busy: then nothing was done.
 * `signal` calls it off while the run's environment is made ready; then the run is on record as stopped.
 * @throws gpu_taken, launch_failed: then the run is on record as failed.
 * @throws launch_unsure: then the run is on record, and may be running.
 */
export async function confirmPlan(
  desk: Desk,
  planId: string,
  options: {
    onStep?: OnStep;
    justMade?: boolean;
    /** The run on record that it becomes; absent: a new one. */
    as?: Pick<RunRecord, "id" | "createdAt">;
    onProgress?: (transfer: Transfer) => void;
    onNews?: (news: EnvironmentNews) => void;
    signal?: AbortSignal;
  } = {},
): Promise<{ plan: Plan; run: RunRecord }> {
  const onStep = options.onStep ?? (() => undefined);
  const plan = loadUsablePlan(desk, planId);
  // Who planned it a moment ago has done that.
  if (!options.justMade) await settleRuns(desk, isAtOrNamed(findAddress(plan.terms), plan.terms.name));
  const target = makeTarget(desk, findAddress(plan.terms), {
    jobDir: plan.terms.jobDir,
    freeMemoryMiB: plan.terms.gpus.freeMemoryMiB,
  });
  const { justMade = false, as } = options;
  const checked = await checkPlan(desk, plan, target, { justMade, run: as?.id ?? null }).catch((fault) => {
    loadUsablePlan(desk, planId); // someone who confirmed it meanwhile is the better answer
    throw fault;
  });
  const variables = loadVariables(desk, plan);
  const run = recordRun(desk, plan, options.as);
  onStep("plan_used");
  try {
    removeVariables(desk, plan.id);
    const { wandb } = plan.terms;
    if (wandb?.change) await writeScript(desk, plan, run, onStep);
    const command = plan.terms.modal ? await orderFollower(desk, plan, run) : null;
    if (wandb?.way === "forward") addForward(desk, run.id, wandb.forwarder ?? null);
    const { onProgress, onNews, signal } = options;
    const start = { plan, target, command, checked, variables, onStep, onProgress, onNews, signal };
    const launched = await startOrPark(desk, run, start);
    // Only now: it lies among the files that were sent.
    if (plan.terms.instance) keepEntry(desk, run.id, plan.terms.instance);
    ensureWatcher(desk);
    onStep("watched");
    return { plan, run: launched };
  } catch (fault) {
    const mayLive = await endFailedLaunch(desk, run, target, fault);
    if (!mayLive) throw fault;
    throw new SortieError(
      "launch_unsure",
      { run: run.id, name: run.name, reason: describeFault(fault) },
      fault,
    );
  }
}

/** The intent is on record; a launcher that dies now leaves the old script or the new one, and a run that never started. */
async function writeScript(desk: Desk, plan: Plan, run: RunRecord, onStep: OnStep): Promise<void> {
  const { writeKeptScript } = await import("./wandb/keep-script.ts");
  writeKeptScript(desk, plan);
  appendEvent(desk.store, run.id, SCRIPT_STEP, null, desk.clock.now());
  onStep(SCRIPT_STEP);
}

interface Start {
  readonly plan: Plan;
  readonly target: Target;
  readonly command: readonly string[] | null;
  readonly checked: CheckedPlan;
  readonly variables: Readonly<Record<string, string>>;
  readonly onStep: OnStep;
  readonly onProgress: ((transfer: Transfer) => void) | undefined;
  readonly onNews: ((news: EnvironmentNews) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

async function startOrPark(desk: Desk, run: RunRecord, start: Start): Promise<RunRecord> {
  const { plan, target, command, checked, variables, onStep, onProgress, onNews, signal } = start;
  const { remote, request } = plan.terms;
  const code = remote ? loadCode(desk, { id: plan.id, remote, results: request.results }) : null;
  const { candidates: gpuCandidates, status } = checked;
  const told = { onProgress, onNews, signal };
  const launch = { plan, target, command, gpuCandidates, status, variables, code, ...told, env: desk.env };
  if (checked.waitingFor) return parkRun(desk, run, launch, checked.waitingFor, onStep);
  try {
    return await launchRun(desk, run, launch, onStep);
  } catch (fault) {
    if (!isGpuTaken(fault) || plan.terms.request.waitGpuS === null) throw fault;
    // Its environment may have been built by that.
    return parkRun(desk, run, { ...launch, status: null }, fault.message, onStep);
  }
}

/** What runs on Modal is followed from here. Loaded on demand: few runs are. */
async function orderFollower(desk: Desk, plan: Plan, run: RunRecord): Promise<readonly string[]> {
  return (await import("./modal/write-launcher.ts")).writeLauncher(desk, plan, run);
}

/** The plan's use and the run appear in one step, so that a crash leaves both or neither. */
function recordRun(desk: Desk, plan: Plan, as: Pick<RunRecord, "id" | "createdAt"> | undefined): RunRecord {
  const run = makeRecord(
    desk,
    plan,
    as ?? { id: plan.terms.modal?.runId ?? makeId("r"), createdAt: desk.clock.now().toISOString() },
  );
  desk.store.together(() => {
    takePlan(desk, plan.id, run.id);
    if (!as) insertRun(desk.store, run);
    else if (moveRun(desk.store, run.id, "preparing", run).state !== "preparing")
      throw new SortieError("launch_called_off", { run: run.name }); // stopped while its machine was rented
    if (plan.terms.instance) recordInstance(desk, run, plan.terms.instance);
    appendEvent(desk.store, run.id, "plan_used", { plan: plan.id }, desk.clock.now());
  });
  return run;
}

function makeRecord(
  desk: Desk,
  { id: plan, terms, notes }: Plan,
  { id, createdAt }: Pick<RunRecord, "id" | "createdAt">,
): RunRecord {
  return makeNewRun({
    ...{ id, createdAt },
    name: terms.name,
    plan,
    target: terms.target.name,
    kind: terms.target.kind,
    host: terms.target.host,
    request: terms.request,
    environment: { label: terms.environment.label, python: terms.environment.python },
    git: findGit(terms),
    jobFolder: join(terms.jobDir, id),
    expected: terms.expected,
    notes,
    launcher: desk.identity,
    startIntentAt: null,
    remote: findRemote(terms),
    ...(terms.wandb && { wandb: findWandb(id, terms.wandb) }),
    ...(terms.modal && { modal: describeRunModal(terms.modal) }),
  });
}

/** Where its run is, for the record of it. */
export function findRemote({ remote }: Pick<PlanTerms, "remote">): RunRecord["remote"] {
  if (!remote) return null;
  const { address, codeDir, folder, freeze } = remote;
  return { address, codeDir, folder, freeze };
}

function findWandb(runId: string, { project, entity, id, mode, url, way }: WandbTerms): RunRecord["wandb"] {
  const kept = way === "forward" || way === "none" ? { way } : {};
  return { project, entity, id: id ?? runId, mode, url, ...kept };
}

function findGit({ code }: PlanTerms): RunRecord["git"] {
  if (code.kind !== "git") return null;
  return { commit: code.commit, branch: code.branch, tree: code.tree };
}
