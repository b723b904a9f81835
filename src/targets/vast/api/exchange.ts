import { describeConnectionFault, isNeverSent } from "../../../base/connection-fault.ts";
import { SortieError } from "../../../base/error.ts";
import { readBody } from "../../../base/read-body.ts";
import { makeUnreadable } from "../read-value.ts";

export interface Request {
  /** For people: `show instance 5`. */
  readonly call: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: string;
  readonly key: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
}

const MOST_BYTES = 8 * 1024 * 1024;

/**
 * One request and its whole reply, whatever its status is. A redirect is not followed: the key is for one server only.
 * Proxies of the environment are not used.
 * @throws SortieError `vast_away` (its detail `isUnsent`: the request surely never arrived), `vast_reply_unreadable`,
 * `interrupted`
 */
export async function exchange(request: Request): Promise<Reply> {
  const deadline = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal === undefined ? deadline : AbortSignal.any([deadline, request.signal]);
  try {
    return await readReply(await send(request, signal), request.call);
  } catch (thrown) {
    if (thrown instanceof SortieError) throw thrown;
    if (request.signal?.aborted) throw new SortieError("interrupted");
    const seconds = request.timeoutMs / 1000;
    const reason = deadline.aborted
      ? `the reply did not end within ${seconds} s`
      : describeConnectionFault(thrown);
    const isUnsent = !deadline.aborted && isNeverSent(thrown);
    throw new SortieError("vast_away", { call: request.call, reason, isUnsent });
  }
}

function send({ method, url, key, body }: Request, signal: AbortSignal): Promise<Response> {
  return fetch(url, {
    method,
    redirect: "manual",
    signal,
    headers: {
      accept: "application/json",
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function readReply(reply: Response, call: string): Promise<Reply> {
  const text = await readBody(reply, MOST_BYTES);
  if (text === null) throw makeUnreadable(`the reply to \`${call}\` is longer than ${MOST_BYTES} bytes`);
  return { status: reply.status, text };
}
