import { describeFault, SortieError } from "../../../base/error.ts";
import { makePrintable } from "../../../base/printable.ts";
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
    const reason = deadline.aborted ? `the reply did not end within ${seconds} s` : describeCause(thrown);
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
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of reply.body ?? []) {
    bytes += part.length;
    if (bytes > MOST_BYTES)
      throw makeUnreadable(`the reply to \`${call}\` is longer than ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  return { status: reply.status, text: new TextDecoder().decode(Buffer.concat(parts)) };
}

/** Where nobody took the connection, the request was never sent. */
const unsentCodes = [
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"],
  ...["UND_ERR_CONNECT_TIMEOUT", "CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ...["ERR_TLS_CERT_ALTNAME_INVALID", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
];

function isNeverSent(thrown: unknown): boolean {
  const { code } = Object(findCause(thrown)) as { code?: unknown };
  return unsentCodes.some((known) => known === code);
}

/** `fetch failed` alone helps nobody. */
function describeCause(thrown: unknown): string {
  const cause = findCause(thrown);
  const { code } = Object(cause) as { code?: unknown };
  return makePrintable(describeFault(cause) || String(code ?? "the connection failed"));
}

function findCause(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
}
