import { SortieError } from "../../base/error.ts";
import { DEFAULT_TUNNEL_URL } from "../../challenge/addresses.ts";
import { findBaseUrl } from "../../challenge/base-url.ts";
import { checkJobUuid } from "../../challenge/check-job-uuid.ts";
import { chooseEndpoint } from "../../challenge/choose-endpoint.ts";
import { type ChosenToken, chooseToken } from "../../challenge/choose-token.ts";
import { loadStateFile, type StateFile } from "../../challenge/state-file.ts";
import { readAgentCount } from "../contest/current-job.ts";
import { findKnownJob, type KnownJob } from "../contest/known-jobs.ts";
import type { Desk } from "../desk.ts";
import { askEndpoint, askJob, type JobNow } from "./ask-job.ts";
import type { FleetWish } from "./fleet-wish.ts";

/** What a fleet must know of its job. */
export interface JobFacts {
  readonly jobUuid: string;
  readonly endpoint: string;
  readonly parallelism: number;
  /** null: no challenge is there to be asked. */
  readonly baseUrl: string | null;
  /** Secret; chosen again when the plan is confirmed. */
  readonly token: ChosenToken;
  readonly now: JobNow;
}

/** Something that a fleet needs and that nobody has said, with the command that gives it. */
export interface Need {
  readonly name: string;
  readonly command: string;
}

const NEEDS = {
  job: { name: "JOB_UUID", command: "sortie challenge submit, or --job-uuid UUID" },
  token: { name: "CHALLENGE_TOKEN", command: "sortie challenge login" },
  parallelism: { name: "PARALLELISM", command: "sortie challenge submit" },
} as const satisfies Record<string, Need>;

/**
 * The job, the token, the gateway and the parallelism of a fleet: as given, else of the environment, of the state file, of
 * the jobs that were submitted from here, of the challenge. Those of another job are not taken.
 * @throws job_bad, token_bad, gateway_url_bad, endpoint_unread, challenge_job_unknown
 */
export async function findJobFacts(
  desk: Desk,
  wish: FleetWish,
): Promise<{ facts: JobFacts | null; needs: readonly Need[] }> {
  const state = loadStateFile(desk.env);
  const jobUuid = findJobUuid(desk, wish, state);
  if (jobUuid === null) {
    const isLoggedIn = findToken(desk, "", wish.token) !== null;
    return { facts: null, needs: [NEEDS.job, ...(isLoggedIn ? [] : [NEEDS.token]), NEEDS.parallelism] };
  }
  const known = findKnownJob(desk, { uuid: jobUuid });
  const token = chooseFleetToken(desk, jobUuid, wish.token);
  const found = findEndpoint(desk, jobUuid, wish, { state, known });
  const baseUrl = wish.baseUrl ?? known?.baseUrl ?? findBaseUrl(desk.env, state, found);
  const told = found === DEFAULT_TUNNEL_URL ? await askEndpoint(desk, baseUrl) : null;
  const endpoint = told ?? found;
  const now = await askJob(desk, { jobUuid, endpoint, baseUrl });
  const asked = "parallelism" in now ? now.parallelism : null;
  const named = findParallelism(desk, jobUuid, wish, state) ?? known?.parallelism ?? null;
  // A 0 that the challenge itself does not say is left over from another day.
  const parallelism = named || (asked ?? named);
  if (token !== null && parallelism !== null)
    return { facts: { jobUuid, endpoint, parallelism, baseUrl, token, now }, needs: [] };
  if (parallelism === null && now.kind === "unknown")
    throw new SortieError("challenge_job_unknown", { url: baseUrl, job: jobUuid });
  const needs = [
    ...(token === null ? [NEEDS.token] : []),
    ...(parallelism === null ? [NEEDS.parallelism] : []),
  ];
  return { facts: null, needs };
}

function findJobUuid({ env }: Desk, { jobUuid }: FleetWish, { values }: StateFile): string | null {
  try {
    return checkJobUuid([jobUuid, env["JOB_UUID"], values.JOB_UUID].find((text) => text?.trim()));
  } catch (fault) {
    if (fault instanceof SortieError && fault.code === "job_missing") return null;
    throw fault;
  }
}

/**
 * The token that the agents of a job get: the job's own before a login token, which ends after hours. null: there is none.
 * @throws token_bad
 */
export function chooseFleetToken(desk: Desk, jobUuid: string, given?: string): ChosenToken | null {
  const chosen = findToken(desk, jobUuid, given);
  const kept = findKnownJob(desk, { uuid: jobUuid })?.jobToken;
  if (given || chosen?.kind === "job" || !kept) return chosen;
  return { token: kept, kind: "job", said: "the job's token, as it came with the submission" };
}

function findToken({ env }: Desk, jobUuid: string, given?: string): ChosenToken | null {
  try {
    return chooseToken(jobUuid, { given, env, state: loadStateFile(env) });
  } catch (fault) {
    if (fault instanceof SortieError && fault.code === "token_missing") return null;
    throw fault;
  }
}

/** Where neither flag nor environment nor file names one, the submission's own is better than the fixed default. */
function findEndpoint(
  { env }: Desk,
  jobUuid: string,
  { endpoint: given }: FleetWish,
  { state, known }: { state: StateFile; known: KnownJob | null },
): string {
  const isOfFile = state.values.JOB_UUID === jobUuid && state.values.TUNNEL_ENDPOINT !== undefined;
  const isNamed = Boolean(given?.trim() || env["SIMUBOTIX_GATEWAY_URL"]?.trim()) || isOfFile;
  const own = isNamed ? given : (known?.endpoint ?? findOwn(env, jobUuid, "TUNNEL_ENDPOINT"));
  return chooseEndpoint(jobUuid, { given: own, env, state }).url;
}

function findParallelism(
  { env }: Desk,
  jobUuid: string,
  { parallelism }: FleetWish,
  { values }: StateFile,
): number | null {
  const ofFile = values.JOB_UUID === jobUuid ? values.PARALLELISM : undefined;
  return parallelism ?? readAgentCount(findOwn(env, jobUuid, "PARALLELISM")) ?? readAgentCount(ofFile);
}

/** A variable of the environment that is about this job: a file that was sourced may be about another. */
function findOwn(env: Desk["env"], jobUuid: string, name: string): string | undefined {
  const isOwn = env["JOB_UUID"]?.trim() ? env["JOB_UUID"].trim() === jobUuid : true;
  return isOwn ? env[name]?.trim() || undefined : undefined;
}
