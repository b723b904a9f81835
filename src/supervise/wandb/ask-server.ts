import { describeConnectionFault } from "../../base/connection-fault.ts";
import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { readBody } from "../../base/read-body.ts";
import { redactText } from "../../base/redact.ts";
import { isObject, parseJson } from "../../base/shape.ts";
import type { FoundKey } from "./find-key.ts";

const TIMEOUT_MS = 60_000;
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_REASON = 300;

export interface ServerCall {
  readonly url: string;
  readonly key: FoundKey;
  readonly timeoutMs?: number;
}

/**
 * One question to W&B's GraphQL; answers its `data`. The key goes to this server alone: no redirect is followed.
 * @throws wandb_away, wandb_login_refused
 */
export async function askServer(
  { url, key, timeoutMs = TIMEOUT_MS }: ServerCall,
  query: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { host } = new URL(url);
  const fail = (said: string, cause?: unknown) => {
    const reason = makePrintable(redactText(said, [key.key])).slice(0, MOST_REASON);
    return new SortieError("wandb_away", { host, reason }, cause);
  };
  let reply: Response;
  let text: string | null;
  try {
    reply = await fetch(`${url}/graphql`, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        "content-type": "application/json",
        authorization: `Basic ${Buffer.from(`api:${key.key}`).toString("base64")}`,
      },
      body: JSON.stringify({ query, variables }),
    });
    text = await readBody(reply, MOST_BYTES);
  } catch (fault) {
    throw fail(describeConnectionFault(fault), fault);
  }
  if (text === null) throw fail("its answer is too long");
  if (reply.status === 401 || reply.status === 403)
    throw new SortieError("wandb_login_refused", { host, source: key.source, status: reply.status });
  const answer = parseJson(text, isObject);
  if (answer === null) throw fail(`it answered ${reply.status} without JSON`);
  const problem = findProblem(answer);
  if (problem !== null) throw fail(problem);
  const { data } = answer;
  if (!isObject(data)) throw fail(`it answered ${reply.status} without data`);
  return data;
}

function findProblem({ errors }: Readonly<Record<string, unknown>>): string | null {
  if (!Array.isArray(errors) || errors.length === 0) return null;
  const [first] = errors;
  return isObject(first) && typeof first["message"] === "string"
    ? first["message"]
    : "it refuses the question";
}
