import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach } from "vitest";
import { makeShiftedClock } from "../shifted-clock.ts";
import { answerCall, type DoubleAccount, type VastCall } from "./answer-call.ts";
import { type Market, openMarket } from "./market.ts";
import type { Answer, Json } from "./replies.ts";
import { openRules, type Rule } from "./rules.ts";

/**
 * Vast.ai on loopback: it speaks the real API as far as the vendor's own CLI asks for it (`vastai --url`), rents what a test
 * offers, and writes down what everything costs. See README.md.
 */
export interface VastDouble extends Market {
  readonly url: string;
  readonly account: DoubleAccount;
  /** For those who shall speak to it: `VAST_URL` and `VAST_API_KEY`. */
  readonly env: { readonly VAST_URL: string; readonly VAST_API_KEY: string };
  /** The vendor's time; `shift(ms)` lets hours pass. */
  readonly clock: ReturnType<typeof makeShiftedClock>;
  /** All that was asked, in order, whatever became of it. */
  readonly calls: readonly VastCall[];
  /** How often this was asked. */
  count(rule: Pick<Rule, "method" | "path">): number;
  on(rule: Rule): void;
  stop(): Promise<void>;
}

/** A double for each test of the file or `describe`: `const vast = useVastDouble();` beside the tests, `vast()` inside. */
export function useVastDouble(): () => VastDouble {
  let double: VastDouble | undefined;
  beforeEach(async () => {
    double = await startVastDouble();
  });
  afterEach(() => double?.stop());
  return () => double as VastDouble;
}

export async function startVastDouble(): Promise<VastDouble> {
  const clock = makeShiftedClock();
  const now = () => clock.now().getTime();
  const market = openMarket(now);
  const account: DoubleAccount = {
    key: "account-key-0123456789",
    credit: 25,
    sshKeys: [],
    priceIncreases: [],
  };
  const rules = openRules();
  const calls: VastCall[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const call = await readCall(request);
    calls.push(call);
    const rule = rules.take(call);
    const isDone = rule?.isDone ?? rule?.answer === undefined;
    const done = isDone ? answerCall(call, { market, account, now }) : undefined;
    rule?.after?.(call);
    send(rule?.answer ?? (done as Answer), response);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy()); // who asked has gone in the middle of it
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...market,
    ...{ url, account, clock, calls, env: { VAST_URL: url, VAST_API_KEY: account.key } },
    count: ({ method, path }) =>
      calls.filter((call) => (method ?? call.method) === call.method && (path?.test(call.path) ?? true))
        .length,
    on: rules.add,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readCall(request: IncomingMessage): Promise<VastCall> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  return {
    method: request.method ?? "",
    path: url.pathname,
    query: url.searchParams,
    body: text === "" ? {} : (JSON.parse(text) as Json),
    key: request.headers.authorization?.replace(/^Bearer /, "") ?? null,
  };
}

/** The type of JSON is exactly this: the vendor's CLI looks. */
function send(answer: Answer | "hang" | "cut", response: ServerResponse): void {
  if (answer === "hang") return;
  if (answer === "cut") {
    response.socket?.resetAndDestroy();
    return;
  }
  const isText = typeof answer.body === "string";
  response.writeHead(answer.status, { "content-type": isText ? "text/plain" : "application/json" });
  response.end(isText ? (answer.body as string) : JSON.stringify(answer.body));
}
