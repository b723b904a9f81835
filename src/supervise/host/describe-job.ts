import { type JobStatus, jobStatus } from "../../gateway/records/jobs.ts";

/** `ready`, `running`, `succeeded`, `stopped`, `failed`, `stopping`. */
export function describeStatus(status: JobStatus): string {
  return Object.entries(jobStatus).find(([, number]) => number === status)?.[0] ?? String(status);
}

/** Whether the job has not ended. */
export function isLiveStatus(status: JobStatus): boolean {
  return status === jobStatus.ready || status === jobStatus.running || status === jobStatus.stopping;
}

/** The same, where it makes no difference whether a case has begun: `live` for both. */
export function describeStage(status: JobStatus): string {
  return status === jobStatus.ready || status === jobStatus.running ? "live" : describeStatus(status);
}
