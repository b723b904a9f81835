import { SortieError } from "../../base/error.ts";
import { findJobsByName, submitJob } from "../../challenge/api/jobs.ts";
import type { SubmissionTerms } from "./draft-submission.ts";
import { type KeptJob, keepJob } from "./keep-job.ts";
import type { Contest } from "./open-contest.ts";
import { takeOverJob } from "./take-over-job.ts";

export interface Submitted extends KeptJob {
  /** The reply was lost; the job was found by its name. */
  readonly isTakenOver: boolean;
}

/**
 * Posts the job once, whatever happens, and keeps its handle. Where the reply was lost it is looked for by its name among
 * what is new since, and taken over: it is never posted twice.
 * @throws challenge_refused (its words verbatim), contest_submission_unsure, contest_submission_several,
 * contest_state_unwritten (the job is there)
 */
export async function executeSubmission(
  contest: Contest,
  terms: SubmissionTerms,
  options: { readonly signal?: AbortSignal | undefined; readonly waitsMs?: readonly number[] } = {},
): Promise<Submitted> {
  const { session } = contest;
  const { name, board, modelName, description, paperLink } = terms;
  // Before it is sent: what has this name already is not what is sent now.
  const before = (await findJobsByName(session, name)).map(({ id }) => id);
  try {
    const job = await submitJob(session, { name, board, modelName, description, paperLink }, options.signal);
    return { ...(await keepJob(contest, terms, job)), isTakenOver: false };
  } catch (fault) {
    if (!(fault instanceof SortieError) || fault.code !== "challenge_reply_lost") throw fault;
    const job = await takeOverJob(contest, terms, { before, fault, ...options });
    return { ...(await keepJob(contest, terms, job)), isTakenOver: true };
  }
}
