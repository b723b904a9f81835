import { SortieError, toSortieError } from "../../base/error.ts";
import { quoteInput } from "../../base/quote-input.ts";
import { findJobsByName, type JobItem } from "../../challenge/api/jobs.ts";
import type { SubmissionTerms } from "./draft-submission.ts";
import type { SubmittedHandle } from "./keep-job.ts";
import type { Contest } from "./open-contest.ts";

/** Rests between looks, 63 s in all: a server that took the job may be away for a moment. */
const WAITS_MS: readonly number[] = [0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

export interface TakeOver {
  /** Jobs that had this name before. */
  readonly before: readonly number[];
  readonly fault: SortieError;
  readonly signal?: AbortSignal | undefined;
  readonly waitsMs?: readonly number[];
}

/**
 * Looks for the job that the lost reply was about: the one new job of that name.
 * @throws contest_submission_unsure, contest_submission_several
 */
export async function takeOverJob(
  contest: Contest,
  { name }: SubmissionTerms,
  { before, fault, signal, waitsMs = WAITS_MS }: TakeOver,
): Promise<SubmittedHandle> {
  for (const waitMs of waitsMs) {
    await contest.desk.clock.sleep(waitMs, signal);
    if (signal?.aborted) break;
    const found = (await findQuietly(contest, name)).filter(({ id }) => !before.includes(id));
    if (found.length > 1) {
      const jobs = found.map(({ id }) => id);
      throw new SortieError("contest_submission_several", { name: quoteInput(name), jobs }, fault);
    }
    const [job] = found;
    if (job?.uuid) return makeFoundHandle({ ...job, uuid: job.uuid });
  }
  const reason = String(fault.details["reason"] ?? "its reply was lost");
  throw new SortieError("contest_submission_unsure", { name: quoteInput(name), reason }, fault);
}

/** A server that is still away is asked again. */
async function findQuietly({ session }: Contest, name: string): Promise<JobItem[]> {
  try {
    return await findJobsByName(session, name);
  } catch (fault) {
    if (toSortieError(fault).retryable) return [];
    throw fault;
  }
}

/** Of a job that was found: its own token was in the reply that was lost, so that agents dial with the login token. */
export function makeFoundHandle({ id, uuid, parallelism }: JobItem & { uuid: string }): SubmittedHandle {
  return { id, uuid, parallelism, tunnelEndpoint: null, jobToken: null };
}
