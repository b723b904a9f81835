import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { listAttempts } from "../../gateway/records/attempts.ts";
import { listBoardsOfJobs } from "../../gateway/records/board-kinds.ts";
import { type CaseRow, listCases } from "../../gateway/records/cases.ts";
import { type JobOverview, listJobOverviews } from "../../gateway/records/job-overviews.ts";
import { listUserIds, listUsers } from "../../gateway/records/users.ts";
import type { Store } from "../../store/store.ts";
import { findBoard } from "./add-simulator.ts";
import { describeStatus } from "./describe-job.ts";
import { findJobOf, refuseJob } from "./find-job.ts";
import { makeUnknownUser, readEmail } from "./find-user.ts";
import { readRecords } from "./open-data.ts";

export interface JobsWish {
  readonly board?: string;
  readonly user?: string;
  /** With `user`: also of users who had that address before, and were deleted. */
  readonly former?: boolean;
  readonly state?: "live" | "ended";
  readonly limit: number;
}

export type JobDocument = ReturnType<typeof makeJobDocument>;
export type CaseDocument = ReturnType<typeof makeCaseDocument>;

/** The newest first, and how many there are in all. @throws board_unknown, value_bad, user_unknown */
export async function loadJobs(
  config: GatewayConfig,
  { board, user, former = false, state, limit }: JobsWish,
): Promise<{ jobs: JobDocument[]; total: number }> {
  const email = user === undefined ? undefined : readEmail(user);
  const find = (records: Store) => {
    // A board that the configuration has no more still has jobs.
    if (board !== undefined && !listBoardsOfJobs(records).includes(board)) findBoard(config, board);
    const userIds = email === undefined ? undefined : findUserIds(records, email, former);
    const { jobs, total } = listJobOverviews(records, { board, userIds, state, limit });
    return { jobs: jobs.map(makeJobDocument), total };
  };
  return readRecords(config.dataFolder, find, () => {
    if (board !== undefined) findBoard(config, board);
    return { jobs: [], total: 0 };
  });
}

/** One job and its cases. @throws gateway_job_unknown */
export async function loadJob(
  { dataFolder }: GatewayConfig,
  wanted: string,
): Promise<{ job: JobDocument; cases: CaseDocument[] }> {
  const find = (records: Store) => {
    const { id } = findJobOf(records, wanted);
    const [overview] = listJobOverviews(records, { id, limit: 1 }).jobs;
    const failures = new Map<number, string | null>();
    // They come with the newest first.
    for (const { caseId, failureReason, detail } of listAttempts(records, id))
      if (failureReason !== 0 && !failures.has(caseId)) failures.set(caseId, detail);
    const cases = listCases(records, id).map((row) => makeCaseDocument(row, failures.get(row.id) ?? null));
    return { job: makeJobDocument(overview as JobOverview), cases };
  };
  return readRecords(dataFolder, find, () => refuseJob(wanted));
}

/** A user who was deleted still has jobs. */
function findUserIds(records: Store, email: string, former: boolean): readonly number[] {
  const ids = listUserIds(records, email, { former });
  if (ids.length === 0) throw makeUnknownUser(listUsers(records), email);
  return ids;
}

function makeJobDocument({ job, email, cases }: JobOverview) {
  const { id, uuid, name, board, modelName, parallelism, status, endReason, score } = job;
  const { createdAt, startedAt, endedAt } = job;
  return {
    ...{ id, uuid, name, board, modelName, user: email, parallelism },
    ...{ status, state: describeStatus(status), endReason, score, cases },
    ...{ createdAt, startedAt, endedAt },
  };
}

function makeCaseDocument(
  { id, task, index, seed, state, attempts, score, steps }: CaseRow,
  failure: string | null,
) {
  return { id, task, index, seed, state, attempts, score, steps, failure };
}
