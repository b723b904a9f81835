import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { WebSocket } from "ws";
import type { Clock } from "../base/clock.ts";
import { showUrl } from "../base/show-url.ts";
import { MAX_MESSAGE_BYTES } from "../wire/message.ts";
import { RESUME_FOLLOWS, RESUME_HEADER } from "../wire/resume-header.ts";
import {
  type DialFailure,
  type DialResponse,
  judgeDialFault,
  judgeResponse,
  refuseAddress,
} from "./judge-dial.ts";
import { limitConnect } from "./limit-connect.ts";
import type { Secrets } from "./secrets.ts";
import { followRedirect } from "./tunnel-address.ts";

export interface DialRequest {
  /** With the pair in its query. */
  readonly url: URL;
  readonly token: string;
  /** What of the words that come back is not to be shown. */
  readonly secrets: Secrets;
  readonly proxyUrl?: string;
  /** For each of the redirects, should there be any. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface OpenedSocket {
  readonly kind: "open";
  /** Paused, so that nothing is missed until somebody listens. */
  readonly socket: WebSocket;
  /** The TCP or TLS socket below it. */
  readonly raw: Socket;
  /** The gateway says `resume` before it goes on with a session. */
  readonly tellsResume: boolean;
}

export type DialOutcome = OpenedSocket | DialFailure | { readonly kind: "aborted" };

const MAX_REDIRECTS = 5;
const MAX_BODY_BYTES = 4096;
/** How long a close may wait for the other side; the types of ws do not know this option. */
const closeLimit = { closeTimeout: 2_000 };
const BODY_MS = 2_000;
/** Of the time for a dial, so much is for the connection. */
const CONNECT_SHARE = 1 / 5;

/** Dials a gateway once. Never rejects. Takes no proxy from the environment. */
export async function dialGateway(request: DialRequest): Promise<DialOutcome> {
  const agent = request.proxyUrl === undefined ? undefined : await makeProxyAgent(request.proxyUrl);
  let { url } = request;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const outcome = await dialOnce({ ...request, url }, agent);
    if (outcome.kind !== "redirect") return outcome;
    const next = followRedirect(url, outcome.location);
    if (typeof next === "string") return refuseAddress(url, request.secrets.clean(next));
    url = next;
  }
  return refuseAddress(url, `it redirects more than ${MAX_REDIRECTS} times`);
}

type ProxyAgent = InstanceType<typeof import("https-proxy-agent")["HttpsProxyAgent"]>;

async function makeProxyAgent(proxyUrl: string): Promise<ProxyAgent> {
  const { HttpsProxyAgent } = await import("https-proxy-agent");
  return new HttpsProxyAgent(proxyUrl);
}

type OnceOutcome = DialOutcome | { readonly kind: "redirect"; readonly location: string };

function dialOnce(request: DialRequest, agent?: ProxyAgent) {
  const { url, token, secrets, proxyUrl, timeoutMs, clock, signal } = request;
  if (signal.aborted) return Promise.resolve<OnceOutcome>({ kind: "aborted" });
  const connectMs = timeoutMs * CONNECT_SHARE;
  return new Promise<OnceOutcome>((resolve) => {
    const socket = new WebSocket(url, {
      headers: { Authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
      followRedirects: false,
      agent,
      finishRequest: (request) => {
        limitConnect(request, connectMs, clock, () => settle(tellSilence(connectMs)));
        request.end();
      },
      ...closeLimit,
    });
    // A frame that came in several fragments is not put together: its payload mostly is one of them.
    socket.binaryType = "fragments";
    const over = new AbortController();
    let isSettled = false;
    const settle = (outcome: OnceOutcome) => {
      if (isSettled) return;
      isSettled = true;
      over.abort();
      signal.removeEventListener("abort", abort);
      if (outcome.kind !== "open") socket.terminate();
      resolve(outcome);
    };
    const abort = () => settle({ kind: "aborted" });
    signal.addEventListener("abort", abort, { once: true });
    clock.sleep(timeoutMs, over.signal).then(() => {
      settle(tellSilence(timeoutMs));
    });
    let response: IncomingMessage | undefined;
    socket.on("upgrade", (came) => {
      response = came;
    });
    socket.once("open", () => {
      if (response === undefined) return;
      socket.pause();
      const tellsResume = response.headers[RESUME_HEADER] === RESUME_FOLLOWS;
      settle({ kind: "open", socket, raw: response.socket, tellsResume });
    });
    // It stays: what breaks off while the dial is given up is no news.
    socket.on("error", (fault) => settle(judgeDialFault(fault, url, proxyUrl && showUrl(proxyUrl))));
    socket.on("unexpected-response", async (_, response) => {
      const { statusCode: status = 0, headers } = response;
      if (status >= 300 && status < 400 && headers.location)
        return settle({ kind: "redirect", location: headers.location });
      const came = await readResponse(response, clock, over.signal);
      settle(judgeResponse({ ...came, body: secrets.clean(came.body) }, url));
    });
  });
}

function tellSilence(ms: number): OnceOutcome {
  return { kind: "network", reason: `no answer within ${ms / 1000} s` };
}

/** The start of what was answered; as much as came in a moment. */
async function readResponse(
  response: IncomingMessage,
  clock: Clock,
  signal: AbortSignal,
): Promise<DialResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  const read = new Promise<void>((resolve) => {
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_BODY_BYTES) resolve();
    });
    response.on("close", resolve);
  });
  await Promise.race([read, clock.sleep(BODY_MS, signal)]);
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers["content-type"] ?? "",
    body: Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString(),
  };
}
