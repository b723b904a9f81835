import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface Scripted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text goes out as it is. */
  readonly body?: unknown;
}

/**
 * Stands between a contestant and a challenge's API for one test, and passes calls on but for those that the test scripts.
 * A call is `POST /api/challenge/job`, without its query.
 */
export async function startApiProxy(target = "") {
  const script = {
    target,
    /** Nobody is there: every connection breaks. */
    gone: false,
    /** The call reaches the API; its reply never comes back. */
    loses: (_call: string): boolean => false,
    /** The call reaches the API; its reply comes never, and the connection stays. */
    holds: (_call: string): boolean => false,
    /** Answered here; undefined: passed on. */
    answers: (_call: string, _token: string | null): Scripted | undefined => undefined,
  };
  const calls: string[] = [];
  const answered: string[] = [];
  const bodies: string[] = [];
  const tokens: (string | null)[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const call = `${request.method} ${request.url?.split("?")[0]}`;
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? null;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (script.gone) return void request.socket.destroy();
    calls.push(call);
    bodies.push(Buffer.concat(parts).toString());
    tokens.push(token);
    const scripted = script.answers(call, token);
    if (scripted !== undefined) return reply(response, scripted);
    const answer = await fetch(`${script.target}${request.url}`, {
      method: request.method ?? "GET",
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(parts.length === 0 ? {} : { "content-type": "application/json" }),
      },
      ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
    });
    const text = await answer.text();
    answered.push(call);
    if (script.holds(call)) return;
    if (script.loses(call)) return void response.destroy();
    reply(response, { status: answer.status, body: text });
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    script,
    /** Each as it came, then what the API has answered. */
    calls,
    answered,
    bodies,
    tokens,
    count: (call: string) => calls.filter((one) => one === call).length,
  };
}

function reply(response: ServerResponse, { status = 200, headers, body = {} }: Scripted): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
