import { describeFault, SortieError } from "../../base/error.ts";
import { loadTunnelEndpoint } from "../../challenge/api/tunnel-endpoint.ts";
import { saveState } from "../../challenge/save-state.ts";
import type { SubmissionTerms } from "./draft-submission.ts";
import { findBaseUrlChange } from "./keep-base-url.ts";
import { findKnownJob, keepKnownJob } from "./known-jobs.ts";
import type { Contest } from "./open-contest.ts";
import { rememberHandle } from "./remember-handle.ts";

/** What the reply to a submission gives. */
export interface SubmittedHandle {
  readonly id: number;
  readonly uuid: string;
  readonly parallelism: number | null;
  readonly tunnelEndpoint: string | null;
  readonly jobToken: string | null;
}

export interface KeptJob {
  /** `jobToken` is secret: it goes into the state file and the store, and nowhere else. */
  readonly job: SubmittedHandle;
  /** Where its variables are. */
  readonly path: string;
  /** What a person should know, in sentences. */
  readonly said: readonly string[];
}

const ENDPOINT_TRIES = 3;
const ENDPOINT_REST_MS = 1_000;

/** Puts the job among the known ones first, then makes it the current one of the state file. @throws contest_state_unwritten */
export async function keepJob(
  contest: Contest,
  terms: SubmissionTerms,
  submitted: SubmittedHandle,
): Promise<KeptJob> {
  const { desk } = contest;
  // Before anything else is asked for: the token is told once.
  const jobToken = submitted.jobToken ?? findKnownJob(desk, submitted)?.jobToken ?? null;
  const known = { ...submitted, jobToken };
  keepAsKnown(contest, terms, known);
  const job = { ...known, tunnelEndpoint: submitted.tunnelEndpoint ?? (await findEndpoint(contest)) };
  keepAsKnown(contest, terms, job);
  await rememberHandle(contest);
  const { path, said } = writeState(contest, job);
  return { job, path, said: [...said, ...describeGaps(job)] };
}

function keepAsKnown({ desk, session }: Contest, terms: SubmissionTerms, job: SubmittedHandle): void {
  const { id, uuid, parallelism, tunnelEndpoint: endpoint, jobToken } = job;
  keepKnownJob(desk, {
    ...{ id, uuid, baseUrl: session.baseUrl, name: terms.name, board: terms.board, model: terms.modelName },
    ...{ parallelism, endpoint, jobToken, submittedAt: desk.clock.now().toISOString() },
  });
}

/** Some gateways name it a little later than the job. null: none was named, and the default goes. */
async function findEndpoint({ session, desk }: Contest): Promise<string | null> {
  for (let tried = 0; tried < ENDPOINT_TRIES; tried += 1) {
    if (tried > 0) await desk.clock.sleep(ENDPOINT_REST_MS);
    const endpoint = await loadTunnelEndpoint(session).catch(() => null); // the job is there without it
    if (endpoint !== null) return endpoint;
  }
  return null;
}

function writeState(contest: Contest, job: SubmittedHandle) {
  const { desk, state } = contest;
  const { id, uuid, jobToken, parallelism, tunnelEndpoint } = job;
  try {
    return saveState(desk.env, {
      ...{ JOB_ID: String(id), JOB_UUID: uuid, JOB_TOKEN: jobToken },
      PARALLELISM: parallelism === null ? null : String(parallelism),
      TUNNEL_ENDPOINT: tunnelEndpoint,
      ...findBaseUrlChange(contest),
    });
  } catch (fault) {
    const reason =
      fault instanceof SortieError ? (fault.details["reason"] ?? fault.message) : describeFault(fault);
    throw new SortieError("contest_state_unwritten", { id, uuid, file: state.path, reason }, fault);
  }
}

function describeGaps({ parallelism, tunnelEndpoint, jobToken }: SubmittedHandle): string[] {
  return [
    ...(parallelism === 0
      ? ["The job may have no agent at all (parallelism 0): ask the organiser before you launch."]
      : []),
    ...(parallelism === null
      ? ["How many agents the job may have is not known: PARALLELISM is not set."]
      : []),
    ...(tunnelEndpoint === null
      ? ["The gateway names no tunnel endpoint: agents dial the fixed default unless --gateway-url is given."]
      : []),
    ...(jobToken === null ? ["The job has no token of its own: agents dial with the login token."] : []),
  ];
}
