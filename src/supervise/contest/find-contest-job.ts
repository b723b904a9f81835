import { SortieError } from "../../base/error.ts";
import { quoteInput } from "../../base/quote-input.ts";
import { listAllJobs, resolveJob } from "../../challenge/api/jobs.ts";
import { findCurrentJob, isJobNumber } from "./current-job.ts";
import { listKnownJobs } from "./known-jobs.ts";
import type { Contest } from "./open-contest.ts";

/** A job as the API wants it named. */
export interface ContestJob {
  readonly id: number;
  /** null: only its number is known. */
  readonly uuid: string | null;
  readonly name: string | null;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The job of this number, UUID or name, or of the unique start of one; the current job where none is named. A number is
 * taken as it is; the API is asked only for what nobody here knows.
 * @throws contest_job_none, challenge_job_unknown, contest_job_ambiguous
 */
export async function findContestJob(contest: Contest, wanted?: string): Promise<ContestJob> {
  const text = wanted?.trim() ?? "";
  if (text !== "") return isJobNumber(text) ? findByNumber(contest, Number(text)) : findByText(contest, text);
  const { desk, state } = contest;
  const current = findCurrentJob(desk.env, state);
  if (current === null) throw new SortieError("contest_job_none", { file: state.path });
  const { id, uuid } = current;
  if (id === null) return findByText(contest, uuid ?? "");
  const job = findByNumber(contest, id);
  return { ...job, uuid: uuid ?? job.uuid };
}

function findByNumber({ desk, session }: Contest, id: number): ContestJob {
  const known = listKnownJobs(desk, session.baseUrl).find((job) => job.id === id);
  return { id, uuid: known?.uuid ?? null, name: known?.name ?? null };
}

async function findByText(contest: Contest, text: string): Promise<ContestJob> {
  const { desk, session } = contest;
  const known = listKnownJobs(desk, session.baseUrl).find(({ uuid }) => uuid === text);
  if (known !== undefined) return pickNames(known);
  if (UUID.test(text)) return pickNames(await resolveJob(session, text));
  return choose(contest, text, await listAllJobs(session));
}

/** A whole name goes before the start of others. */
function choose({ session }: Contest, text: string, jobs: readonly ContestJob[]): ContestJob {
  const same = jobs.filter(({ name, uuid }) => name === text || uuid === text);
  const found = same.length > 0 ? same : jobs.filter((job) => begins(job, text));
  const [first] = found;
  if (first === undefined)
    throw new SortieError("challenge_job_unknown", { job: quoteInput(text), url: session.baseUrl });
  if (found.length === 1) return pickNames(first);
  const shown = found.slice(0, 5).map(({ id, name }) => `${id} ${quoteInput(name ?? "")}`);
  const more = found.length > 5 ? [`${found.length - 5} more`] : [];
  throw new SortieError("contest_job_ambiguous", { job: quoteInput(text), jobs: [...shown, ...more] });
}

function begins({ name, uuid }: ContestJob, text: string): boolean {
  return Boolean(name?.startsWith(text)) || Boolean(uuid?.startsWith(text));
}

function pickNames({ id, uuid, name }: ContestJob): ContestJob {
  return { id, uuid, name };
}
