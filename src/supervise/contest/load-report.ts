import { type JobItem, loadStatus, resolveJob } from "../../challenge/api/jobs.ts";
import type { JobStatus } from "../../challenge/job-status.ts";
import type { ContestJob } from "./find-contest-job.ts";
import type { Contest } from "./open-contest.ts";

/** A job as `status`, `jobs` and `watch` show it, with its state wherever the server tells that. */
export interface JobReport extends Omit<JobItem, "status" | "description" | "paperLink">, JobStatus {}

/** @throws challenge_job_unknown */
export async function loadReportOf(contest: Contest, job: ContestJob): Promise<JobReport> {
  return loadReport(contest, await resolveJob(contest.session, job.uuid ?? job.id));
}

/** Where the list of jobs tells no status it is asked for. */
export async function loadReport({ session }: Contest, item: JobItem): Promise<JobReport> {
  const { status: _, description: __, paperLink: ___, ...facts } = item;
  return { ...facts, ...(await loadStatus(session, item)) };
}
