import { findOthersRights } from "../../disk/home.ts";
import type { Desk } from "../desk.ts";

/** A job of the person, as it was submitted or found: its handle outlives the state file, which holds one at a time. */
export interface KnownJob {
  readonly id: number;
  readonly uuid: string;
  readonly baseUrl: string;
  readonly name: string;
  readonly board: string;
  readonly model: string;
  readonly parallelism: number | null;
  readonly endpoint: string | null;
  /** Secret; null: the gateway gave none, or others may read the home folder. */
  readonly jobToken: string | null;
  readonly submittedAt: string;
}

/** Keeps a job, in place of what was known of it; its token only where nobody else may read it. */
export function keepKnownJob(desk: Desk, job: KnownJob): void {
  const isPrivate = findOthersRights(desk.home) === "none";
  const jobToken = isPrivate ? (job.jobToken ?? findKnownJob(desk, job)?.jobToken ?? null) : null;
  desk.store.change(
    "INSERT OR REPLACE INTO challenge_jobs (uuid, base_url, created_at, body) VALUES (?, ?, ?, ?)",
    ...[job.uuid, job.baseUrl, job.submittedAt, JSON.stringify({ ...job, jobToken })],
  );
}

export function findKnownJob(desk: Desk, { uuid }: Pick<KnownJob, "uuid">): KnownJob | null {
  const row = desk.store.find("SELECT body FROM challenge_jobs WHERE uuid = ?", uuid);
  return row === undefined ? null : (JSON.parse(row["body"] as string) as KnownJob);
}

/** Of one challenge, the newest first. */
export function listKnownJobs(desk: Desk, baseUrl: string): KnownJob[] {
  return desk.store
    .list(
      "SELECT body FROM challenge_jobs WHERE base_url = ? AND uuid NOT LIKE 'intent-%' ORDER BY created_at DESC",
      baseUrl,
    )
    .map((row) => JSON.parse(row["body"] as string) as KnownJob);
}
