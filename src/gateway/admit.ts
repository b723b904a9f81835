import type { DialRequest } from "./dial-request.ts";
import type { GatewayFlags } from "./gateway-flags.ts";
import type { JobRun } from "./job-run.ts";
import type { JobTable } from "./job-table.ts";
import type { Link } from "./link.ts";

/** Why a dial is refused: before the WebSocket is there by a status, or after it by a close. */
export type Refusal =
  | { readonly why: "bad_token" | "job_over"; readonly status: 401; readonly says: string }
  | { readonly why: "stopping"; readonly status: 503; readonly says: string }
  | { readonly why: ClosedReason; readonly status?: undefined; readonly says: string };

/** The reasons of a refusal that has a close code. */
export type ClosedReason = "over_cap" | "duplicate" | "pair_expired";

export type Admission =
  | { readonly job: JobRun; readonly refusal?: undefined }
  | { readonly refusal: Refusal };

const badToken: Refusal = { why: "bad_token", status: 401, says: "no token of this job" };
const stopping: Refusal = { why: "stopping", status: 503, says: "the gateway is stopping" };
const jobOver: Refusal = { why: "job_over", status: 401, says: "the job has ended" };

/** What a dial is judged by, besides what it says. */
export interface AdmissionHost {
  readonly jobs: JobTable;
  readonly flags: GatewayFlags;
  /** The gateway is stopping: only who comes back to a session is let in. */
  readonly isLeaving: boolean;
}

/**
 * Decides over a dial, of `owner` where its token is the login of one. A slot is held by a live link and by a tunnel
 * inside its window.
 */
export function admit(
  dial: DialRequest,
  owner: string | undefined,
  { jobs, flags, isLeaving }: AdmissionHost,
): Admission {
  const job = jobs.find(dial.jobUuid, { token: dial.token, owner });
  if (job === undefined) return { refusal: badToken };
  if (job === "ended") return { refusal: jobOver };
  const tunnel = job.tunnels.get(dial.agentId);
  // Inside its window an agent comes back to a job that drains too, to be told so.
  if (tunnel !== undefined && tunnel.link === undefined) return { job };
  // An agent whose old link still counts as live is told to try again: its end is not known yet.
  if (job.state !== "running" && tunnel === undefined) return { refusal: jobOver };
  if (isLeaving) return { refusal: stopping };
  const refusal = findClosedReason(dial, job, countSlots(job, jobs, flags));
  return refusal === undefined ? { job } : { refusal };
}

function findClosedReason({ agentId }: DialRequest, job: JobRun, taken: number): Refusal | undefined {
  const link = job.tunnels.get(agentId)?.link;
  if (link !== undefined) return { why: "duplicate", says: `${describeOwner(link)} as agent ${agentId}` };
  if (job.isExpired(agentId)) {
    return { why: "pair_expired", says: `agent ${agentId} came back after its window` };
  }
  const { parallelism } = job.parts;
  if (taken < parallelism) return undefined;
  return { why: "over_cap", says: `${taken} agents are connected, ${parallelism} may be` };
}

/** Whom to stop. It comes first, since a reason is cut off at 120 bytes; the job is the one that was dialled. */
function describeOwner({ peer, openedAt }: Link): string {
  const since = openedAt.toISOString().slice(0, 19).replace("T", " ");
  return `live from ${peer ?? "a lost address"} since ${since} UTC`;
}

function countSlots(job: JobRun, jobs: JobTable, { capScope }: GatewayFlags): number {
  if (capScope === "job") return job.tunnels.size;
  let slots = 0;
  for (const other of jobs.live) if (other.owner === job.owner) slots += other.tunnels.size;
  return slots;
}
