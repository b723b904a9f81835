import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { TLSSocket } from "node:tls";
import { describeFault } from "../base/error.ts";

export interface Call {
  readonly method: "GET" | "POST";
  /** Checked before: `https:`, or `http:` to this machine. */
  readonly url: string;
  /** JSON. */
  readonly body?: string;
  /** For the whole of it, from the name's look-up to the last byte of the reply. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** `unsent`: nothing of it can have arrived. `unsure`: it may have, and no whole answer came back. */
export type Reply =
  | { readonly state: "answered"; readonly status: number; readonly text: string; readonly head: ReplyHead }
  | { readonly state: "unsent"; readonly reason: string }
  | { readonly state: "unsure"; readonly reason: string };

export interface ReplyHead {
  /** How long the server wants to be left alone. */
  readonly retryAfterMs: number | null;
  /** Its own clock. */
  readonly date: Date | null;
}

/** No reply that says something is longer; of one that is, the start is kept. */
const MOST_BYTES = 64 * 1024;

/** One request on a connection of its own. It never throws; redirects are not followed and proxies are not used. */
export function exchange(call: Call): Promise<Reply> {
  if (call.signal?.aborted) return Promise.resolve({ state: "unsent", reason: "it was called off" });
  return new Promise((resolve) => {
    let isConnected = false;
    const end = (reply: Reply) => {
      clearTimeout(timer);
      call.signal?.removeEventListener("abort", callOff);
      outgoing.destroy();
      resolve(reply);
    };
    const fail = (reason: string) => end({ state: isConnected ? "unsure" : "unsent", reason });
    const callOff = () => fail("it was called off");
    const timer = setTimeout(
      () => fail(`there was no whole answer within ${Math.round(call.timeoutMs / 1000)} s`),
      call.timeoutMs,
    );
    call.signal?.addEventListener("abort", callOff, { once: true });

    const isSecure = call.url.startsWith("https:");
    const outgoing = (isSecure ? requestSecure : requestPlain)(call.url, {
      ...{ method: call.method, agent: false, headers: makeHeaders(call) },
    });
    outgoing.on("socket", (socket: TLSSocket) =>
      socket.once(isSecure ? "secureConnect" : "connect", () => {
        isConnected = true;
      }),
    );
    outgoing.on("error", (fault) => fail(describeConnection(fault)));
    outgoing.on("response", (incoming) => collect(incoming, end, fail));
    outgoing.end(call.body);
  });
}

function makeHeaders({ body }: Call): Record<string, string | number> {
  const common = { accept: "application/json", connection: "close" };
  if (body === undefined) return common;
  const sent = { "content-type": "application/json; charset=utf-8" };
  return { ...common, ...sent, "content-length": Buffer.byteLength(body) };
}

function collect(incoming: IncomingMessage, end: (reply: Reply) => void, fail: (reason: string) => void) {
  const parts: Buffer[] = [];
  let bytes = 0;
  const finish = () =>
    end({
      ...{ state: "answered", status: incoming.statusCode ?? 0, head: readHead(incoming) },
      text: new TextDecoder().decode(Buffer.concat(parts)),
    });
  incoming.on("data", (part: Buffer) => {
    parts.push(part.subarray(0, MOST_BYTES - bytes));
    bytes += part.length;
    if (bytes >= MOST_BYTES) finish();
  });
  incoming.on("end", finish);
  incoming.on("error", (fault) => fail(describeConnection(fault)));
}

function readHead({ headers }: IncomingMessage): ReplyHead {
  const seconds = Number(headers["x-ogw-ratelimit-reset"] ?? headers["retry-after"] ?? Number.NaN);
  const date = new Date(headers.date ?? "");
  return {
    retryAfterMs: Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null,
    date: Number.isNaN(date.getTime()) ? null : date,
  };
}

/** Several addresses of one name fail as one fault without words. */
function describeConnection(fault: Error & { code?: string }): string {
  return describeFault(fault) || fault.code || "the connection failed";
}
