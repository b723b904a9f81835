import { rmSync } from "node:fs";
import { join } from "node:path";
import { describeFault, SortieError } from "../base/error.ts";
import { makeId } from "../base/ids.ts";
import { appendEvent } from "../runs/events.ts";
import { nameJobFiles } from "../runs/job-folder.ts";
import { makeNewRun } from "../runs/new-run.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { insertRun, loadRun, moveRun } from "../runs/run-store.ts";
import type { Target } from "../targets/target.ts";
import { type CheckedPlan, checkPlan } from "./check-plan.ts";
import type { Desk } from "./desk.ts";
import { makeTarget } from "./find-target.ts";
import { launchRun, type OnStep } from "./launch-run.ts";
import { loadUsablePlan, type Plan, type PlanTerms, takePlan } from "./plan.ts";
import { loadVariables, removeVariables } from "./plan-variables.ts";
import { settleRun, settleRuns } from "./settle-runs.ts";
import { parkRun } from "./start-waiting.ts";
import { ensureWatcher } from "./watcher.ts";

/**
 * Runs exactly the terms of a plan, once. Of two confirmations at the same time one gets it.
 * @throws plan_unknown, plan_used, plan_expired, plan_stale: then nothing was done. @throws launch_failed
 */
export async function confirmPlan(
  desk: Desk,
  planId: string,
  options: { onStep?: OnStep } = {},
): Promise<{ plan: Plan; run: RunRecord }> {
  const onStep = options.onStep ?? (() => undefined);
  await settleRuns(desk);
  const plan = loadUsablePlan(desk, planId);
  const target = makeTarget(desk, plan.terms.target.kind, { jobDir: plan.terms.jobDir });
  const checked = await checkPlan(desk, plan, target);
  const variables = loadVariables(desk, plan);
  const run = recordRun(desk, plan);
  onStep("plan_used");
  removeVariables(desk, plan.id);
  try {
    const launched = await startOrPark(desk, run, { plan, target, checked, variables, onStep });
    ensureWatcher(desk);
    onStep("watched");
    return { plan, run: launched };
  } catch (fault) {
    await endFailedLaunch(desk, run, target, fault);
    throw fault;
  }
}

interface Start {
  readonly plan: Plan;
  readonly target: Target;
  readonly checked: CheckedPlan;
  readonly variables: Readonly<Record<string, string>>;
  readonly onStep: OnStep;
}

async function startOrPark(desk: Desk, run: RunRecord, start: Start): Promise<RunRecord> {
  const { plan, target, checked, variables, onStep } = start;
  if (checked.waitingFor) return parkRun(desk, run, { plan, variables, waitingFor: checked.waitingFor });
  return launchRun(
    desk,
    run,
    { plan, target, gpuCandidates: checked.gpuCandidates, variables, env: desk.env },
    onStep,
  );
}

/** The plan's use and the run appear in one step, so that a crash leaves both or neither. */
function recordRun(desk: Desk, plan: Plan): RunRecord {
  const run = makeRecord(desk, plan);
  desk.store.together(() => {
    takePlan(desk, plan.id, run.id);
    insertRun(desk.store, run);
    appendEvent(desk.store, run.id, "plan_used", { plan: plan.id }, desk.clock.now());
  });
  return run;
}

function makeRecord(desk: Desk, { id: plan, terms, notes }: Plan): RunRecord {
  const id = makeId("r");
  return makeNewRun({
    id,
    name: terms.name,
    plan,
    target: terms.target.name,
    kind: terms.target.kind,
    host: terms.target.host,
    request: terms.request,
    environment: { label: terms.environment.label, python: terms.environment.python },
    git: findGit(terms),
    createdAt: desk.clock.now().toISOString(),
    jobFolder: join(terms.jobDir, id),
    expected: terms.expected,
    notes,
    launcher: desk.identity,
    startIntentAt: null,
  });
}

function findGit({ code }: PlanTerms): RunRecord["git"] {
  if (code.kind !== "git") return null;
  return { commit: code.commit, branch: code.branch, tree: code.tree };
}

/** What could not be started is made sure never to start, and says why; what started after all goes on. */
async function endFailedLaunch(desk: Desk, run: RunRecord, target: Target, fault: unknown): Promise<void> {
  const closed = await target.close(run).catch(() => null);
  if (closed === false) {
    await settleRun(desk, run.id);
    return;
  }
  rmSync(nameJobFiles(run.jobFolder).env, { force: true });
  moveRun(desk.store, loadRun(desk.store, run.id).id, "failed", {
    endReason: "launch_failed",
    endedAt: desk.clock.now().toISOString(),
    evidence: describeFault(fault),
    nextStep: fault instanceof SortieError ? fault.hint : null,
    results: [],
  });
}
