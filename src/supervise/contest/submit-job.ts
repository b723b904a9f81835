import { countOf } from "../../base/count-of.ts";
import { quoteCommand } from "../../base/quote.ts";
import { type ActionOutcome, defineAction } from "../actions/action.ts";
import { type ActionPlan, saveAction } from "../actions/action-plan.ts";
import {
  draftSubmission,
  findSubmissionChanges,
  type SubmissionCondition,
  type SubmissionTerms,
  type SubmissionWish,
} from "./draft-submission.ts";
import { executeSubmission, type Submitted } from "./execute-submission.ts";
import { type Contest, openContest } from "./open-contest.ts";

/** Keeps the plan of one submission. @throws what draftSubmission does */
export async function planSubmission(
  contest: Contest,
  wish: SubmissionWish,
): Promise<ActionPlan<SubmissionTerms, SubmissionCondition>> {
  const { terms, restsOn, notes, sideEffects } = await draftSubmission(contest, wish);
  const look = quoteCommand([
    ...["sortie", "challenge", "status"],
    ...(terms.name.startsWith("-") ? ["--", terms.name] : [terms.name]),
  ]);
  return saveAction(contest.desk, { action: "challenge submit", terms, restsOn, notes, sideEffects, look });
}

export const action = defineAction<SubmissionTerms, SubmissionCondition>({
  findChanges: (desk, { terms, restsOn }) =>
    findSubmissionChanges(openContest(desk, { baseUrl: terms.baseUrl }), restsOn),
  async execute(desk, terms) {
    const contest = openContest(desk, { baseUrl: terms.baseUrl });
    return describeSubmitted(terms, await executeSubmission(contest, terms));
  },
});

const NEXT = ["Next: sortie agents launch; sortie challenge watch"];

/** For `--json` and for people; the job's token is in neither. `next`: what is to be done after it. */
export function describeSubmitted(
  { name, board, modelName }: SubmissionTerms,
  { job, path, said, isTakenOver }: Submitted,
  next: readonly string[] = NEXT,
): ActionOutcome {
  const { id, uuid, parallelism, tunnelEndpoint, jobToken } = job;
  const own = {
    id,
    uuid,
    name,
    board,
    modelName,
    parallelism,
    tunnelEndpoint,
    hasJobToken: jobToken !== null,
  };
  const agents = parallelism === null ? "" : `, up to ${countOf(parallelism, "agent")}`;
  return {
    document: { job: own, takenOver: isTakenOver, file: path, notes: said },
    words: [
      ...(isTakenOver ? ["The reply was lost; the job was found by its name. It was sent once."] : []),
      `Job ${id} is submitted: ${uuid}${agents}.`,
      ...said,
      `Its variables are in ${path}.`,
      ...next,
    ],
  };
}
