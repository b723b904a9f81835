import { SortieError } from "../../base/error.ts";
import { describeFailure, type FailureWords } from "../failure-reasons.ts";
import { readNumber, readRow, readText } from "./reply-shape.ts";
import type { ApiSession } from "./session.ts";

/** The newest failed case of a job; null: the server does not say. */
export interface CaseLog {
  /** The reply as it came. */
  readonly raw: unknown;
  readonly caseId: number | null;
  readonly taskId: number | null;
  /** The session, and the agent that served it. */
  readonly runInstanceId: string | null;
  readonly workerId: string | null;
  /** 0 ok, 1 failed, 2 running. */
  readonly status: number | null;
  readonly failureReason: number | null;
  /** The reason in words, and whose doing it is. */
  readonly failure: FailureWords;
  readonly exitCode: number | null;
  readonly stdout: string | null;
  readonly stderr: string | null;
  /** Where the output is to be had without a token, for an hour. */
  readonly stdoutUrl: string | null;
  /** What the platform says. */
  readonly error: string | null;
  readonly createdAt: string | null;
}

/** The log of a job, by its number; null: none of its cases has failed. @throws SortieError `challenge_job_id_wrong` */
export async function loadLog(
  session: ApiSession,
  id: number,
  signal?: AbortSignal,
): Promise<CaseLog | null> {
  try {
    return await session.get(`job/${encodeURIComponent(id)}/log`, { read: readLog, signal });
  } catch (thrown) {
    const isNone = thrown instanceof SortieError && /failed to get case exec log/i.test(thrown.message);
    if (isNone && thrown.code === "challenge_refused") return null;
    throw thrown;
  }
}

/** The first servers have the output in its place, the later ones a `result` of any form. */
function readLog(raw: unknown): CaseLog {
  const row = readRow(raw);
  const result = Object(row["result"]) as Record<string, unknown>;
  const output = readText(row["stdout"]) ?? readText(result["stdout"]) ?? readText(row["result"]);
  const isUrl = /^https?:\/\/\S+$/i.test(output ?? "");
  const failureReason = readNumber(row["failure_reason"]);
  const error = readText(result["error"]) ?? readText(row["error"]);
  return {
    ...{ raw, caseId: readNumber(row["case_id"]), taskId: readNumber(row["task_id"]) },
    ...{ runInstanceId: readText(row["run_instance_id"]), workerId: readText(row["worker_id"]) },
    ...{ status: readNumber(row["status"]), failureReason, failure: describeFailure(failureReason, error) },
    exitCode: readNumber(row["exit_code"]) ?? readNumber(result["exit_code"]),
    stdout: isUrl || output === "error" ? null : output,
    stderr: readText(row["stderr"]) ?? readText(result["stderr"]),
    ...{ stdoutUrl: isUrl ? output : null, error, createdAt: readText(row["created_at"]) },
  };
}
