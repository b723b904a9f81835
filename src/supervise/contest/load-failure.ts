import { loadLog } from "../../challenge/api/log.ts";
import type { ContestJob } from "./find-contest-job.ts";
import type { Contest } from "./open-contest.ts";
import { findLastLines, findLastTraceback } from "./read-output.ts";

/** What ended the case that failed last; null: the API does not say. */
export interface Failure {
  readonly caseId: number | null;
  readonly agentId: string | null;
  readonly at: string | null;
  /** `failure_reason`, and the same in words. */
  readonly reason: number | null;
  readonly said: string;
  readonly whose: "contestant" | "platform" | "unknown";
  /** The platform's own note. */
  readonly error: string | null;
  readonly exitCode: number | null;
  readonly traceback: readonly string[] | null;
  /** The last ones of what it printed. */
  readonly lines: readonly string[];
  /** Where the whole output is to be had for an hour, by whoever has the link. */
  readonly outputUrl: string | null;
}

/** null: no case of the job has failed. */
export async function loadFailure({ session }: Contest, { id }: ContestJob): Promise<Failure | null> {
  const log = await loadLog(session, id);
  if (log === null) return null;
  const { caseId, workerId, createdAt, failureReason, failure, error, exitCode, stdoutUrl } = log;
  const output = [log.stdout, log.stderr].filter((text) => text !== null).join("\n");
  return {
    ...{ caseId, agentId: workerId, at: createdAt, reason: failureReason, ...failure, error, exitCode },
    ...{ traceback: findLastTraceback(output), lines: findLastLines(output), outputUrl: stdoutUrl },
  };
}
