import { SortieError } from "../../base/error.ts";
import { findJob } from "../../challenge/api/jobs.ts";
import { readAgentCount } from "./current-job.ts";
import { findKnownJob, keepKnownJob } from "./known-jobs.ts";
import type { Contest } from "./open-contest.ts";

/** Puts the job whose handle the state file holds among the known ones, before the file is about another one or none. */
export async function rememberHandle({ desk, session, state }: Contest): Promise<void> {
  const {
    JOB_UUID: uuid,
    JOB_TOKEN: jobToken,
    TUNNEL_ENDPOINT: endpoint,
    PARALLELISM: agents,
  } = state.values;
  if (uuid === undefined || findKnownJob(desk, { uuid })?.jobToken) return;
  const job = await findQuietly({ session }, uuid);
  if (job === null) return;
  const { id, name, board, modelName, parallelism, createdAt } = job;
  keepKnownJob(desk, {
    ...{ id, uuid, baseUrl: session.baseUrl, name: name ?? "", board: board ?? "", model: modelName ?? "" },
    ...{ parallelism: parallelism ?? readAgentCount(agents), endpoint: endpoint ?? null },
    ...{ jobToken: jobToken ?? null, submittedAt: createdAt ?? desk.clock.now().toISOString() },
  });
}

/** Nothing rests on it: what is done next goes on without. */
async function findQuietly({ session }: Pick<Contest, "session">, uuid: string) {
  try {
    return await findJob(session, uuid);
  } catch (fault) {
    if (fault instanceof SortieError) return null;
    throw fault;
  }
}
