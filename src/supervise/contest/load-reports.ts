import { type JobItem, listAllJobs, listJobs } from "../../challenge/api/jobs.ts";
import { findCurrentJob } from "./current-job.ts";
import { type JobReport, loadReport } from "./load-report.ts";
import type { Contest } from "./open-contest.ts";

export interface JobReports {
  /** The newest first. */
  readonly jobs: readonly JobReport[];
  /** As the server counts them. */
  readonly total: number;
  /** The number of the current one; null: none, or it is not among them. */
  readonly current: number | null;
}

const AT_ONCE = 4;

/** `limit`: a page of that many, Infinity: all. */
export async function loadReports(
  contest: Contest,
  { limit, modelName }: { readonly limit: number; readonly modelName?: string | undefined },
): Promise<JobReports> {
  const { session, desk, state } = contest;
  const { items, total } = Number.isFinite(limit)
    ? await listJobs(session, { perPage: limit, modelName })
    : await listAll(contest, modelName);
  const jobs: JobReport[] = [];
  // A server of the first days is asked for the status of each.
  for (let at = 0; at < items.length; at += AT_ONCE)
    jobs.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map((item) => loadReport(contest, item)))));
  const named = findCurrentJob(desk.env, state);
  const current = jobs.find(({ id, uuid }) => (named?.uuid ? uuid === named.uuid : id === named?.id));
  return { jobs, total, current: current?.id ?? null };
}

async function listAll({ session }: Contest, modelName: string | undefined) {
  const all = await listAllJobs(session);
  const items: JobItem[] = all.filter((job) => modelName === undefined || job.modelName === modelName);
  return { items, total: items.length };
}
