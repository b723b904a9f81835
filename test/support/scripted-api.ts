import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

export interface ScriptedCall {
  readonly path: string;
  readonly token: string | null;
}

/** What a call is answered with: a JSON body, or all of a reply. */
export type ApiAnswer =
  | object
  | { readonly status: number; readonly body: string | object; readonly headers?: Record<string, string> };

/**
 * A challenge API on this machine that answers as a test says, by the path after `/api/challenge/`, without its query. What
 * it has no answer for is a 404.
 */
export function useScriptedApi() {
  const closings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(closings.splice(0).map((close) => close()));
  });
  return async (answers: Record<string, (call: ScriptedCall) => ApiAnswer>) => {
    const calls: ScriptedCall[] = [];
    const server = createServer((request, response) => {
      const call = readCall(request);
      calls.push(call);
      const answer = answers[call.path]?.(call) ?? {
        status: 404,
        body: { status: "error", error: "no such call" },
      };
      const { status, body, headers } = "body" in answer ? (answer as Whole) : { status: 200, body: answer };
      const text = typeof body === "string" ? body : JSON.stringify(body);
      response
        .writeHead(status, { "content-type": "application/json", connection: "close", ...headers })
        .end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closings.push(
      () =>
        new Promise((resolve) => {
          server.closeAllConnections();
          server.close(() => resolve());
        }),
    );
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
  };
}

interface Whole {
  readonly status: number;
  readonly body: string | object;
  readonly headers?: Record<string, string>;
}

function readCall({ url = "", headers }: IncomingMessage): ScriptedCall {
  const path = new URL(url, "http://localhost").pathname.replace("/api/challenge/", "");
  return { path, token: headers.authorization?.replace("Bearer ", "") ?? null };
}
