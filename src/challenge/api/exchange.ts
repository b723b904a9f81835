import { describeConnectionFault, isNeverSent } from "../../base/connection-fault.ts";
import { SortieError } from "../../base/error.ts";
import { readBody } from "../../base/read-body.ts";
import { showUrl } from "../../base/show-url.ts";
import { hideSecrets } from "./hide-secrets.ts";

export interface Call {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly token?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** For the whole of it, from the connection to the last byte of the reply. */
  readonly timeoutMs: number;
  /** Default: 8 MiB. */
  readonly mostBytes?: number;
  readonly signal?: AbortSignal;
}

export interface Answer {
  /** What was asked, for people. */
  readonly shown: string;
  readonly status: number;
  readonly text: string;
  /** When the server sent it, by its own clock; null where it does not say. */
  readonly date: Date | null;
}

const MOST_BYTES = 8 * 1024 * 1024;
const MOST_REDIRECTS = 3;

/**
 * One request and its whole reply, whatever its status is. A redirect is followed only on the same server, and only where
 * nothing is sent: a token is shown to nobody but whom it is for. Proxies of the environment are not used.
 * @throws SortieError `challenge_away` (its detail `isUnsent`: the request surely never arrived), `challenge_redirected`,
 * `challenge_reply_unreadable`, `interrupted`
 */
export async function exchange(call: Call): Promise<Answer> {
  const deadline = AbortSignal.timeout(call.timeoutMs);
  const signal = call.signal === undefined ? deadline : AbortSignal.any([deadline, call.signal]);
  try {
    return await follow(call, signal);
  } catch (thrown) {
    if (thrown instanceof SortieError) throw thrown;
    if (call.signal?.aborted) throw new SortieError("interrupted", {}, thrown);
    const seconds = call.timeoutMs / 1000;
    const reason = deadline.aborted
      ? `the reply did not end within ${seconds} s`
      : describeConnectionFault(thrown);
    throw new SortieError("challenge_away", {
      ...{ url: showUrl(call.url), reason, isUnsent: !deadline.aborted && isNeverSent(thrown) },
    });
  }
}

async function follow(call: Call, signal: AbortSignal): Promise<Answer> {
  let url = call.url;
  for (let redirects = 0; ; redirects += 1) {
    const reply = await send({ ...call, url }, signal);
    const target = reply.headers.get("location");
    const isRedirect = reply.status >= 300 && reply.status < 400 && reply.status !== 304 && target !== null;
    if (!isRedirect) return await readAnswer(reply, url, call.mostBytes ?? MOST_BYTES);
    await reply.body?.cancel();
    url = checkRedirect(call, url, { target, redirects, status: reply.status });
  }
}

function send({ method, url, token, body }: Call, signal: AbortSignal): Promise<Response> {
  return fetch(url, {
    method,
    redirect: "manual",
    signal,
    headers: {
      accept: "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Where to ask next. @throws SortieError `challenge_redirected` */
function checkRedirect(
  { method, token = "" }: Call,
  from: string,
  { target, redirects, status }: { target: string; redirects: number; status: number },
): string {
  const next = URL.canParse(target, from) ? new URL(target, from) : null;
  const refuse = (what: string) =>
    new SortieError("challenge_redirected", {
      ...{ url: showUrl(from), target: hideSecrets(showUrl(next ?? target), [token]), what, status },
    });
  if (next === null) throw refuse("no address");
  if (next.origin !== new URL(from).origin) throw refuse("another server");
  if (next.username !== "" || next.password !== "") throw refuse("an address with a user in it");
  if (method !== "GET") throw refuse("another place for what was to be sent once");
  if (redirects >= MOST_REDIRECTS) throw refuse("one redirect too many");
  return next.href;
}

async function readAnswer(reply: Response, url: string, mostBytes: number): Promise<Answer> {
  const shown = showUrl(url);
  const text = await readBody(reply, mostBytes);
  if (text === null)
    throw new SortieError("challenge_reply_unreadable", {
      ...{ url: shown, what: `more than ${mostBytes} bytes`, came: "it is not shown" },
    });
  const date = new Date(reply.headers.get("date") ?? "");
  return { shown, status: reply.status, text, date: Number.isNaN(date.getTime()) ? null : date };
}
