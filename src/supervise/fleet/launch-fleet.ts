import { existsSync, renameSync } from "node:fs";
import { countOf } from "../../base/count-of.ts";
import { describeFault, SortieError } from "../../base/error.ts";
import type { ChosenToken } from "../../challenge/choose-token.ts";
import { moveRun } from "../../runs/run-store.ts";
import type { SentCode } from "../../targets/target.ts";
import { type ActionOutcome, defineAction } from "../actions/action.ts";
import type { Desk } from "../desk.ts";
import { endFailedLaunch } from "../end-failed-launch.ts";
import { makeTarget } from "../find-target.ts";
import { makeJob } from "../launch-run.ts";
import { findPlanFolder } from "../plan-variables.ts";
import { ensureWatcher } from "../watcher.ts";
import { makeAgentVariables } from "./agent-variables.ts";
import { findFleetChanges, loadPattern } from "./find-fleet-changes.ts";
import { chooseFleetToken } from "./find-job-facts.ts";
import type { Fleet } from "./fleet.ts";
import { changeFleet } from "./fleet-store.ts";
import type { FleetCondition, FleetJob, FleetTerms } from "./fleet-terms.ts";
import { recordFleet, type Seated } from "./make-seats.ts";
import { bringToHost } from "./remote/bring-to-host.ts";
import { loadFleetView, makeFleetDocument } from "./show-fleet.ts";

/** By name: `jobToken` as a submission gave it just now, or `token` as a person did. */
type Secrets = Readonly<Record<string, string>>;

export const action = defineAction<FleetTerms, FleetCondition>({
  async findChanges(desk, { terms, restsOn }, call) {
    chooseAgentToken(desk, readJob(terms).jobUuid, call.secrets); // refused before the plan is used up
    return findFleetChanges(desk, terms, restsOn, call);
  },
  execute: (desk, terms, { secrets }) => executeFleet(desk, terms, readJob(terms), secrets),
});

function readJob({ jobUuid, endpoint, parallelism, baseUrl }: FleetTerms): FleetJob {
  if (jobUuid === null || endpoint === null || parallelism === null)
    throw new SortieError("fleet_needs", {
      missing: "JOB_UUID",
      commands: "sortie challenge submit --launch",
    });
  return { jobUuid, endpoint, parallelism, baseUrl };
}

/** @throws fleet_needs */
function chooseAgentToken(desk: Desk, jobUuid: string, { jobToken, token }: Secrets): ChosenToken {
  if (jobToken)
    return { token: jobToken, kind: "job", said: "the job's token, as it came with the submission" };
  const chosen = chooseFleetToken(desk, jobUuid, token);
  if (chosen !== null) return chosen;
  const command = "sortie challenge login";
  const needs = [{ name: "CHALLENGE_TOKEN", command }];
  throw new SortieError("fleet_needs", {
    missing: "CHALLENGE_TOKEN",
    commands: `CHALLENGE_TOKEN: ${command}.`,
    needs,
  });
}

/**
 * Launches what the terms say for this job, once: the fleet and its runs are on record before anything is made, the runs
 * wait in line, and the watcher starts them one after the other.
 * @throws plan_used and its like (nothing was done), fleet_parallelism_zero, fleet_launch_failed (none of its agents starts)
 */
export async function executeFleet(
  desk: Desk,
  terms: FleetTerms,
  job: FleetJob,
  secrets: Secrets,
): Promise<ActionOutcome & { readonly fleet: Fleet }> {
  if (job.parallelism < 1) throw new SortieError("fleet_parallelism_zero", { job: job.jobUuid });
  const token = chooseAgentToken(desk, job.jobUuid, secrets);
  const pattern = loadPattern(desk, terms);
  const { fleet, seats } = recordFleet(desk, terms, job, pattern);
  try {
    const [{ run }] = seats as readonly [Seated];
    const sent = await bringToHost(desk, terms, { pattern, run });
    const isHere = !pattern.terms.remote;
    const variables = makeAgentVariables(desk.env, job, terms.runner, { ...token, isHere });
    await parkSeats(desk, seats, variables, sent);
  } catch (fault) {
    await giveUp(desk, fleet, seats, fault);
    ensureWatcher(desk); // what a host that was cut off holds of them is removed when it answers again
    const reason = describeFault(fault);
    throw new SortieError("fleet_launch_failed", { fleet: fleet.name, id: fleet.id, reason }, fault);
  }
  keepCode(desk, pattern.id, seats);
  ensureWatcher(desk);
  const view = await loadFleetView(desk, fleet.id);
  return { fleet, document: { fleet: makeFleetDocument(view) }, words: describeLaunch(fleet, terms) };
}

/** All of them stand in line together, or none does. */
async function parkSeats(
  desk: Desk,
  seats: readonly Seated[],
  variables: Secrets,
  sent: SentCode | null,
): Promise<void> {
  for (const { run, plan } of seats) {
    const target = makeTarget(desk, run, { jobDir: plan.terms.jobDir });
    const launch = { plan, target, gpuCandidates: plan.terms.gpus.preferred, variables: null, env: desk.env };
    await target.prepare({ ...makeJob(run, launch, variables), sent }, { isParked: true });
  }
  desk.store.together(() => {
    for (const { run } of seats) moveRun(desk.store, run.id, "waiting", { waitingFor: "its turn to start" });
  });
}

async function giveUp(desk: Desk, { id }: Fleet, seats: readonly Seated[], fault: unknown): Promise<void> {
  for (const { run } of seats) await endFailedLaunch(desk, run, makeTarget(desk, run), fault);
  const cause = `it could not be launched: ${describeFault(fault)}`;
  const outcome = { isDrained: false, others: [] };
  changeFleet(desk.store, id, { state: "ended", cause, outcome, endedAt: desk.clock.now().toISOString() });
}

/** The code that was recorded for the pattern belongs to the first agent from now on: it goes when that run is forgotten. */
function keepCode(desk: Desk, patternId: string, [first]: readonly Seated[]): void {
  const from = findPlanFolder(desk, patternId);
  if (first === undefined || !existsSync(from)) return;
  renameSync(from, findPlanFolder(desk, first.plan.id));
}

function describeLaunch({ id, name, k, jobUuid }: Fleet, terms: FleetTerms): string[] {
  const fewer =
    k < terms.k ? [`The job allows ${k} agents: ${terms.k - k} of the planned ones are left out.`] : [];
  return [
    `Fleet ${name} (${id}): ${countOf(k, "agent")} for the job ${jobUuid}.`,
    ...fewer,
    `See it with \`sortie agents ls\`; its logs with \`sortie agents logs ${name}\`; end it with \`sortie agents stop ${name}\`.`,
  ];
}
