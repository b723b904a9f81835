import { SortieError } from "../../base/error.ts";
import { type JobStatus, readStatus } from "../job-status.ts";
import { type JobItem, readJobItem } from "./job-item.ts";
import { makeShapeFault, readList, readNumber, readRow } from "./reply-shape.ts";
import { loadResult } from "./result.ts";
import type { ApiSession } from "./session.ts";

export type { JobItem } from "./job-item.ts";
export { submitJob } from "./submit-job.ts";

export interface JobPage {
  /** Newest first, each once. */
  readonly items: readonly JobItem[];
  /** As the server counts. */
  readonly total: number;
  readonly page: number;
  readonly totalPages: number;
}

export interface JobListing {
  /** From 1, the default. */
  readonly page?: number;
  /** Default: 20. */
  readonly perPage?: number;
  readonly modelName?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A page of the contestant's jobs. The size is sent in both spellings: servers pass the one that they do not know over. */
export async function listJobs(session: ApiSession, listing: JobListing = {}): Promise<JobPage> {
  const { page = 1, perPage = 20, modelName, signal } = listing;
  const query = {
    ...{ page, "per-page": perPage, per_page: perPage },
    ...(modelName === undefined ? {} : { model_name: modelName }),
  };
  return session.get("jobs", {
    query,
    signal,
    read: (body) => {
      const row = readRow(body);
      const items = dropDoubles(readList(row["items"], "items").map(readJobItem));
      const counted = readNumber(row["total"]);
      const total = counted ?? items.length;
      // Read as none it would say of a job that it never arrived.
      if (!Array.isArray(row["items"]) && total > 0) throw makeShapeFault("there are no items in it");
      // Where nothing is counted, another may follow.
      const pages = counted === null && items.length > 0 ? page + 1 : Math.ceil(total / perPage);
      const totalPages = readNumber(row["total_pages"]) ?? pages;
      return { items, total, page: readNumber(row["page"]) ?? page, totalPages };
    },
  });
}

const LARGE_PAGE = 100;
const MOST_PAGES = 200;

/**
 * All jobs, newest first, page after page until one brings nothing new: neither the pages that a server counts nor an end of
 * them is taken on trust. It ends early where `isEnough` says so, and after 200 pages.
 */
export async function listAllJobs(
  session: ApiSession,
  isEnough: (jobs: readonly JobItem[]) => boolean = () => false,
  signal?: AbortSignal,
): Promise<JobItem[]> {
  const jobs = new Map<number, JobItem>();
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { items, total, totalPages } = await listJobs(session, { page, perPage: LARGE_PAGE, signal });
    const fresh = items.filter(({ id }) => !jobs.has(id));
    for (const job of fresh) jobs.set(job.id, job);
    const isLast = page >= totalPages && items.length < LARGE_PAGE && jobs.size >= total;
    if (fresh.length === 0 || isLast || isEnough(fresh)) break;
  }
  return [...jobs.values()];
}

/** The job of this number or UUID; null: it is none of the contestant's, on no page. */
export async function findJob(
  session: ApiSession,
  wanted: number | string,
  signal?: AbortSignal,
): Promise<JobItem | null> {
  const isWanted = (job: JobItem) => isJob(job, wanted);
  const jobs = await listAllJobs(session, (fresh) => fresh.some(isWanted), signal);
  return jobs.find(isWanted) ?? null;
}

/**
 * The same, as a fault where there is none: where a call wants a number, a UUID is mapped so.
 * @throws SortieError `challenge_job_unknown`
 */
export async function resolveJob(session: ApiSession, wanted: number | string): Promise<JobItem> {
  const job = await findJob(session, wanted);
  if (job === null) throw new SortieError("challenge_job_unknown", { job: wanted, url: session.baseUrl });
  return job;
}

/** All jobs of exactly this name, newest first. */
export async function findJobsByName(
  session: ApiSession,
  name: string,
  signal?: AbortSignal,
): Promise<JobItem[]> {
  return (await listAllJobs(session, () => false, signal)).filter((job) => job.name === name);
}

/** The state of a job that was just read; the first servers tell it with the result only. */
export async function loadStatus(
  session: ApiSession,
  { id, status, progress }: Pick<JobItem, "id" | "status" | "progress">,
): Promise<JobStatus> {
  if (status !== null) return status;
  return readStatus({ status: (await loadResult(session, id)).status, progress });
}

function isJob({ id, uuid }: JobItem, wanted: number | string): boolean {
  return String(wanted).trim() === String(id) || (uuid !== null && uuid === String(wanted).trim());
}

function dropDoubles(items: readonly JobItem[]): JobItem[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
