import { toSortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { findJob, type JobItem, listAllJobs, loadStatus } from "../../challenge/api/jobs.ts";
import { loadLog } from "../../challenge/api/log.ts";
import type { ApiSession } from "../../challenge/api/session.ts";
import { loadTunnelEndpoint } from "../../challenge/api/tunnel-endpoint.ts";
import type { ContestSymptoms, JobSymptoms } from "../../diagnosis/contest-symptoms.ts";
import { isJobNumber } from "../contest/current-job.ts";

export interface JobLook extends Pick<ContestSymptoms, "job" | "jobAbsence"> {
  /** The endpoint that the challenge names now; null: none, or nobody could be asked. */
  readonly told: string | null;
  /** Why the job could not be asked about though the login is taken; null: it could. */
  readonly fault: string | null;
}

/** How the job is by the challenge's word. `wanted`: a number, a UUID, or a name or the start of one. Never throws. */
export async function askJob(reader: ApiSession | null, wanted: string | null): Promise<JobLook> {
  const none = { job: null, told: null, fault: null };
  if (wanted === null) return { ...none, jobAbsence: "unnamed" };
  if (reader === null) return { ...none, jobAbsence: "unasked" };
  try {
    const item = await findWanted(reader, wanted);
    const told = await loadTunnelEndpoint(reader).catch(() => null); // what is not told is nothing that ails a job
    if (item === null) return { ...none, told, jobAbsence: "not_found" };
    return { job: await describeJob(reader, item), jobAbsence: null, told, fault: null };
  } catch (thrown) {
    return { ...none, jobAbsence: "unasked", fault: toSortieError(thrown).message };
  }
}

/** A whole name goes before the start of others; of several the newest. */
async function findWanted(reader: ApiSession, wanted: string): Promise<JobItem | null> {
  const found = await findJob(reader, wanted);
  if (found !== null || isJobNumber(wanted)) return found;
  const jobs = await listAllJobs(reader);
  const begins = (text: string | null) => text?.startsWith(wanted) ?? false;
  return (
    jobs.find(({ name }) => name === wanted) ??
    jobs.find(({ name, uuid }) => begins(name) || begins(uuid)) ??
    null
  );
}

async function describeJob(reader: ApiSession, item: JobItem): Promise<JobSymptoms> {
  const status = await loadStatus(reader, item);
  return {
    ...{ uuid: item.uuid ?? String(item.id), name: item.name ?? "", handle: String(item.id) },
    ...{ state: status.state, isTerminal: status.isTerminal, said: makePrintable(status.said) },
    parallelism: item.parallelism,
    failure: status.state === "failed" ? await findFailure(reader, item.id) : null,
  };
}

/** A failed job without a failed case has no log: that says nothing. */
async function findFailure(reader: ApiSession, id: number): Promise<string | null> {
  try {
    const log = await loadLog(reader, id);
    return log === null ? null : `${log.failure.said} (${WHOSE[log.failure.whose]})`;
  } catch {
    return null; // the end of the job is told all the same
  }
}

const WHOSE = {
  contestant: "the agent's doing",
  platform: "the platform's doing, not yours",
  unknown: "whose doing is not told",
} as const;
