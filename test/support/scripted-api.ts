import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach } from "vitest";
import { openSession } from "../../src/challenge/api/session.ts";
import { useTempFolder } from "./temp-folder.ts";

export interface ApiCall {
  readonly method: string;
  /** After `/api/challenge/`, with the query. */
  readonly path: string;
  readonly token: string | undefined;
  readonly body: string;
}

/** What to answer: a status and a body, or whatever a server may do to a connection. */
export type ApiAnswer =
  | { readonly status?: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  | ((response: ServerResponse, request: IncomingMessage) => void);

/** Fast, so that a test of what takes long is none that does. */
const scaledTimers = { requestMs: 2_000, retryFirstMs: 5, retryMostMs: 20, retryTotalMs: 1_000 };

/** A login token that ends so many seconds from now. */
export function makeToken(name: string, endsInS = 3_600): string {
  const claims = { sub: name, exp: Math.floor(Date.now() / 1000) + endsInS };
  return [JSON.stringify({ alg: "HS256" }), JSON.stringify(claims), name]
    .map((part) => Buffer.from(part).toString("base64url"))
    .join(".");
}

/** Servers on this machine that answer the challenge's API as each test says, and a state file of each test's own. */
export function useScriptedApi() {
  const temp = useTempFolder();
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await stop(server);
  });

  const serve = async (answer: (call: ApiCall) => ApiAnswer, port = 0) => {
    const calls: ApiCall[] = [];
    const server = createServer(async (request, response) => {
      const call = await readCall(request);
      calls.push(call);
      sendAnswer(answer(call), request, response);
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    servers.push(server);
    const ownPort = (server.address() as AddressInfo).port;
    const count = (path: string) => calls.filter((call) => call.path.split("?")[0] === path).length;
    return { url: `http://127.0.0.1:${ownPort}`, port: ownPort, calls, count, stop: () => stop(server) };
  };

  return {
    serve,
    home: temp,
    statePath: () => join(temp(), ".simubotix-challenge.env"),
    writeState: (text: string) =>
      writeFileSync(join(temp(), ".simubotix-challenge.env"), text, { mode: 0o600 }),
    open: (options: Partial<Parameters<typeof openSession>[0]> & { env?: Record<string, string> } = {}) =>
      openSession({
        ...options,
        env: { HOME: temp(), ...options.env },
        timers: { ...scaledTimers, ...options.timers },
      }),
  };
}

async function readCall(request: IncomingMessage): Promise<ApiCall> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return {
    method: request.method ?? "",
    path: (request.url ?? "").replace("/api/challenge/", ""),
    token: request.headers.authorization?.replace("Bearer ", ""),
    body: Buffer.concat(parts).toString(),
  };
}

function sendAnswer(answer: ApiAnswer, request: IncomingMessage, response: ServerResponse): void {
  if (typeof answer === "function") {
    answer(response, request);
    return;
  }
  const { status = 200, body, headers = {} } = answer;
  response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
