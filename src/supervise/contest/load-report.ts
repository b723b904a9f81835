import { type JobItem, loadStatus, resolveJob } from "../../challenge/api/jobs.ts";
import type { JobState } from "../../challenge/job-status.ts";
import type { ContestJob } from "./find-contest-job.ts";
import type { Contest } from "./open-contest.ts";

/** A job as `status`, `jobs` and `watch` show it; null: the API does not say. */
export interface JobReport {
  readonly id: number;
  readonly uuid: string | null;
  readonly name: string | null;
  readonly board: string | null;
  readonly modelName: string | null;
  readonly parallelism: number | null;
  readonly state: JobState;
  /** The state in words, with what it waits for. */
  readonly said: string;
  readonly isTerminal: boolean;
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly endReason: string | null;
  /** As the API gives it. */
  readonly score: number | null;
  readonly createdAt: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** @throws challenge_job_unknown */
export async function loadReportOf(contest: Contest, job: ContestJob): Promise<JobReport> {
  return loadReport(contest, await resolveJob(contest.session, job.uuid ?? job.id));
}

/** Where the list of jobs tells no status it is asked for. */
export async function loadReport({ session }: Contest, item: JobItem): Promise<JobReport> {
  const { state, said, isTerminal } = await loadStatus(session, item);
  const { id, uuid, name, board, modelName, parallelism } = item;
  const { progress, endReason, score, createdAt, startedAt, endedAt } = item;
  return {
    ...{ id, uuid, name, board, modelName, parallelism, state, said, isTerminal },
    ...{ progress, endReason, score, createdAt, startedAt, endedAt },
  };
}
