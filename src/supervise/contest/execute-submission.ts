import { SortieError } from "../../base/error.ts";
import { findJobsByName, submitJob } from "../../challenge/api/jobs.ts";
import type { SubmissionTerms } from "./draft-submission.ts";
import { type KeptJob, keepJob } from "./keep-job.ts";
import type { Contest } from "./open-contest.ts";
import { dropIntent, recordIntent } from "./submission-intents.ts";
import { type TakeOver, takeOverJob } from "./take-over-job.ts";

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
  const { desk, session } = contest;
  // Before it is sent: what has this name already is not what is sent now.
  const before = (await findJobsByName(session, terms.name)).map(({ id }) => id);
  const intent = recordIntent(desk, terms, before);
  try {
    const kept = await sendOnce(contest, terms, { before, ...options });
    dropIntent(desk, intent);
    return kept;
  } catch (fault) {
    // Where it is not known what became of it, the next command looks again.
    if (!(fault instanceof SortieError) || !UNSURE.includes(fault.code)) dropIntent(desk, intent);
    throw fault;
  }
}

const UNSURE: readonly string[] = ["contest_submission_unsure", "interrupted"];

async function sendOnce(
  contest: Contest,
  terms: SubmissionTerms,
  options: Pick<TakeOver, "before" | "signal" | "waitsMs">,
): Promise<Submitted> {
  try {
    const job = await submitJob(contest.session, terms, options.signal);
    return { ...(await keepJob(contest, terms, job)), isTakenOver: false };
  } catch (fault) {
    if (!(fault instanceof SortieError) || fault.code !== "challenge_reply_lost") throw fault;
    const job = await takeOverJob(contest, terms, { ...options, fault });
    return { ...(await keepJob(contest, terms, job)), isTakenOver: true };
  }
}
