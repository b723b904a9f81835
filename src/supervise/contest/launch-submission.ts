import { describeFault, SortieError } from "../../base/error.ts";
import { chooseEndpoint } from "../../challenge/choose-endpoint.ts";
import { loadStateFile } from "../../challenge/state-file.ts";
import { type ActionOutcome, defineAction } from "../actions/action.ts";
import { type ActionPlan, type Condition, saveAction } from "../actions/action-plan.ts";
import { findFleetChanges } from "../fleet/find-fleet-changes.ts";
import type { FleetCondition, FleetJob, FleetTerms } from "../fleet/fleet-terms.ts";
import type { FleetWish } from "../fleet/fleet-wish.ts";
import { executeFleet } from "../fleet/launch-fleet.ts";
import { draftFleet } from "../fleet/plan-fleet.ts";
import {
  draftSubmission,
  findSubmissionChanges,
  type SubmissionCondition,
  type SubmissionTerms,
  type SubmissionWish,
} from "./draft-submission.ts";
import { executeSubmission, type Submitted } from "./execute-submission.ts";
import { type Contest, openContest } from "./open-contest.ts";
import { describeSubmitted } from "./submit-job.ts";

export const LAUNCHED_SUBMISSION = "challenge submit --launch";

export interface LaunchedTerms {
  readonly submission: SubmissionTerms;
  readonly fleet: FleetTerms;
}

type LaunchedCondition = Condition &
  (
    | { readonly kind: "submission"; readonly restsOn: readonly SubmissionCondition[] }
    | { readonly kind: "fleet"; readonly restsOn: readonly FleetCondition[] }
  );

export type LaunchedPlan = ActionPlan<LaunchedTerms, LaunchedCondition>;

/**
 * A submission and the fleet that serves it as one plan, so that one confirmation stands up front for both.
 * @throws what draftSubmission and draftFleet do
 */
export async function planLaunchedSubmission(
  contest: Contest,
  wish: SubmissionWish,
  fleetWish: FleetWish,
): Promise<LaunchedPlan> {
  const submission = await draftSubmission(contest, wish);
  const parallelism = submission.parallelism ?? undefined;
  const fleet = await draftFleet(contest.desk, { parallelism, ...fleetWish });
  return saveAction(contest.desk, {
    action: LAUNCHED_SUBMISSION,
    terms: { submission: submission.terms, fleet: fleet.terms },
    restsOn: [
      { kind: "submission", restsOn: submission.restsOn },
      { kind: "fleet", restsOn: fleet.restsOn },
    ],
    notes: [...submission.notes, ...fleet.notes],
    sideEffects: [...submission.sideEffects, ...fleet.sideEffects],
    look: "sortie agents ls",
  });
}

export const action = defineAction<LaunchedTerms, LaunchedCondition>({
  async findChanges(desk, { terms, restsOn }, call) {
    const contest = openContest(desk, { baseUrl: terms.submission.baseUrl });
    const found: string[] = [];
    for (const condition of restsOn) {
      if (condition.kind === "submission")
        found.push(...(await findSubmissionChanges(contest, condition.restsOn)));
      else found.push(...(await findFleetChanges(desk, terms.fleet, condition.restsOn, call)));
    }
    return found;
  },
  async execute(desk, { submission, fleet }) {
    const contest = openContest(desk, { baseUrl: submission.baseUrl });
    const submitted = await executeSubmission(contest, submission);
    const told = describeSubmitted(submission, submitted, []);
    return joinOutcomes(told, await launchFor(contest, submitted, fleet));
  },
});

/** What was spent stays spent: a fleet that cannot be launched is told with the job that waits for it. */
async function launchFor(contest: Contest, { job }: Submitted, terms: FleetTerms): Promise<ActionOutcome> {
  try {
    const secrets: Record<string, string> = job.jobToken === null ? {} : { jobToken: job.jobToken };
    return await executeFleet(contest.desk, terms, makeFleetJob(contest, job, terms), secrets);
  } catch (fault) {
    const { id, uuid } = job;
    throw new SortieError("contest_agents_missing", { id, uuid, reason: describeFault(fault) }, fault);
  }
}

/** As the reply has it; what it leaves out is what the plan rested on. */
function makeFleetJob(
  { desk: { env }, session }: Contest,
  { uuid, tunnelEndpoint, parallelism }: Submitted["job"],
  terms: FleetTerms,
): FleetJob {
  const state = loadStateFile(env);
  const given = terms.endpoint ?? tunnelEndpoint ?? undefined;
  return {
    jobUuid: uuid,
    endpoint: chooseEndpoint(uuid, { env, state, ...(given === undefined ? {} : { given }) }).url,
    parallelism: parallelism ?? terms.parallelism ?? terms.k,
    baseUrl: session.baseUrl,
  };
}

function joinOutcomes(submitted: ActionOutcome, launched: ActionOutcome): ActionOutcome {
  return {
    document: { ...submitted.document, ...launched.document },
    words: [...submitted.words, ...launched.words],
  };
}
