import type { JobRow } from "../records/jobs.ts";
import type { LiveJob } from "./api-host.ts";

/** The table of PROTOCOL 1.2; null: the platform has no word for a job that is stopping. */
export type DetailedStatus =
  | "pending"
  | "queued"
  | "evaluating"
  | "inference_disconnected"
  | "completed"
  | "failed";

type StatusFacts = Pick<JobRow, "status">;

export function deriveDetailedStatus(job: StatusFacts, live: LiveJob | undefined): DetailedStatus | null {
  switch (job.status) {
    case 0:
      return isConnected(live) ? "queued" : "pending";
    case 1:
      if (!isConnected(live)) return "inference_disconnected";
      return live.playing > 0 ? "evaluating" : "queued";
    case 2:
    case 3:
      return "completed";
    case 4:
      return "failed";
    case 5:
      return null;
  }
}

function isConnected(live: LiveJob | undefined): live is LiveJob {
  return live !== undefined && live.connected > 0;
}

/** What the first documents called it, on `/result`. A word for each: what has none there goes on, so it is running. */
export function findOldWord(job: StatusFacts, live: LiveJob | undefined): string {
  if (job.status === 3) return "Cancelled";
  switch (deriveDetailedStatus(job, live)) {
    case "pending":
      return "Pending";
    case "queued":
      return "Queued";
    case "completed":
      return "Finished";
    case "failed":
      return "Failed";
    default:
      return "Running";
  }
}
