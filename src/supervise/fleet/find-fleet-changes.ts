import { SortieError } from "../../base/error.ts";
import type { GpuReport } from "../../gpus/gpu-report.ts";
import type { ActionCall } from "../actions/action.ts";
import { checkPlan } from "../check-plan.ts";
import type { Desk } from "../desk.ts";
import { findAddress, makeTarget } from "../find-target.ts";
import { loadPlan, loadUsablePlan, type Plan } from "../plan.ts";
import { settleRuns } from "../settle-runs.ts";
import { askJob } from "./ask-job.ts";
import type { FleetCondition, FleetTerms } from "./fleet-terms.ts";
import type { FleetGpu } from "./offer-gpus.ts";
import { refuseRivals } from "./refuse-rivals.ts";

/** What no longer holds of what a fleet's plan rests on, in words. Nothing is done. */
export async function findFleetChanges(
  desk: Desk,
  terms: FleetTerms,
  restsOn: readonly FleetCondition[],
  call: Pick<ActionCall, "justMade">,
): Promise<string[]> {
  await settleRuns(desk);
  const found: string[] = [];
  for (const condition of restsOn) found.push(...(await describeChange(desk, terms, condition, call)));
  return found;
}

async function describeChange(
  desk: Desk,
  terms: FleetTerms,
  condition: FleetCondition,
  { justMade = false }: Pick<ActionCall, "justMade">,
): Promise<string[]> {
  switch (condition.kind) {
    case "gpus":
      return checkIndexes(desk, terms, condition.gpus);
    case "pattern":
      return checkPattern(desk, terms, justMade);
    case "job":
      return checkJob(desk, terms, condition.jobUuid);
    default:
      return ["this version of Sortie does not know all that it rests on"];
  }
}

/** A launcher script is told an index, and the lease is of a UUID: they must still name the same GPU. */
async function checkIndexes(desk: Desk, terms: FleetTerms, gpus: readonly FleetGpu[]): Promise<string[]> {
  const leased = gpus.filter(({ uuid }) => uuid !== null);
  if (leased.length === 0) return [];
  const target = makeTarget(desk, findAddress(loadPlan(desk, terms.pattern.plan).terms));
  const report = await target.loadGpus({ python: null });
  return leased.flatMap((gpu) => describeMove(report, gpu) ?? []);
}

/** That one is gone or taken is found by the pattern's own check. */
function describeMove({ gpus }: GpuReport, { index, uuid }: FleetGpu): string | null {
  const now = gpus.find((gpu) => gpu.uuid === uuid);
  return now === undefined || now.index === index ? null : `GPU ${index} is GPU ${now.index} now`;
}

async function checkPattern(desk: Desk, terms: FleetTerms, justMade: boolean): Promise<string[]> {
  try {
    const plan = loadPattern(desk, terms);
    const { freeMemoryMiB } = plan.terms.gpus;
    const target = makeTarget(desk, findAddress(plan.terms), { jobDir: plan.terms.jobDir, freeMemoryMiB });
    await checkPlan(desk, plan, target, { justMade });
    return [];
  } catch (fault) {
    if (fault instanceof SortieError && fault.code === "plan_stale")
      return [String(fault.details["changes"])];
    throw fault;
  }
}

/** @throws plan_unknown, plan_used, plan_expired, plan_stale */
export function loadPattern(desk: Desk, { pattern }: FleetTerms): Plan {
  const plan = loadUsablePlan(desk, pattern.plan);
  if (plan.hash === pattern.hash) return plan;
  throw new SortieError("plan_stale", {
    plan: plan.id,
    changes: "its agents are not the ones that were shown",
  });
}

async function checkJob(desk: Desk, { endpoint, baseUrl }: FleetTerms, jobUuid: string): Promise<string[]> {
  const rival = findRival(desk, jobUuid);
  const now = await askJob(desk, { jobUuid, endpoint: endpoint ?? "", baseUrl });
  return [
    ...(rival === null ? [] : [rival]),
    ...(now.kind === "over" ? [`the job needs no agents any more: ${now.said}`] : []),
  ];
}

function findRival(desk: Desk, jobUuid: string): string | null {
  try {
    refuseRivals(desk, jobUuid);
    return null;
  } catch (fault) {
    if (fault instanceof SortieError) return fault.message.replace(/\.$/, "");
    throw fault;
  }
}
