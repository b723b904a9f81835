import { findGatewayUrlFault } from "../../base/gateway-url.ts";
import { isNoToken } from "../token-shape.ts";
import { needInteger, needText, readNumber, readRow, readText } from "./reply-shape.ts";
import type { ApiSession } from "./session.ts";

export interface Submission {
  readonly name: string;
  readonly board: string;
  readonly modelName: string;
  readonly description?: string | null | undefined;
  /** http:// or https://, at most 512 characters. */
  readonly paperLink?: string | null | undefined;
}

export interface SubmittedJob {
  readonly id: number;
  readonly uuid: string;
  /** Agents that may be connected at once; 0: the account is set up wrong; null: the server does not say. */
  readonly parallelism: number | null;
  readonly tunnelEndpoint: string | null;
  /** For the agents of this job alone; null: they dial with the login token. */
  readonly jobToken: string | null;
}

/**
 * Submits a job, which uses a slot. It is sent once. @throws SortieError `challenge_reply_lost` where it may have been taken
 * all the same, `challenge_refused` with the server's words
 */
export async function submitJob(
  session: ApiSession,
  { name, board, modelName, description, paperLink }: Submission,
  signal?: AbortSignal,
): Promise<SubmittedJob> {
  const config = {
    ...{ board, model_name: modelName },
    ...(description ? { description } : {}),
    ...(paperLink ? { paper_link: paperLink } : {}),
  };
  return session.post("job", { name, config }, { read: readSubmitted, signal });
}

/** What is missing beside number and UUID is no reason to lose the token, which is told only here. */
function readSubmitted(body: unknown): SubmittedJob {
  const row = readRow(body);
  const endpoint = readText(row["tunnel_endpoint"])?.trim();
  const isEndpoint = endpoint !== undefined && findGatewayUrlFault(endpoint) === undefined;
  const jobToken = readText(row["job_token"])?.trim();
  return {
    id: needInteger(row["id"], "id"),
    uuid: needText(row["uuid"] ?? row["job_uuid"], "uuid"),
    parallelism: readCount(row["parallelism"]),
    tunnelEndpoint: isEndpoint ? endpoint : null,
    jobToken: jobToken === undefined || isNoToken(jobToken) || !isOneWord(jobToken) ? null : jobToken,
  };
}

function readCount(value: unknown): number | null {
  const number = readNumber(value);
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function isOneWord(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
