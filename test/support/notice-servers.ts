import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

export interface TakenCall {
  readonly path: string;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a server does with a call; a number is a code of Feishu, given with HTTP 200. */
export type Script = number | ((call: TakenCall, response: ServerResponse) => void);

const HOUR_S = 3_600;

/** Servers on this machine that stand for those which take notices. */
export function useNoticeServers() {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await stop(server);
  });

  const serve = async (answer: (call: TakenCall, response: ServerResponse) => void) => {
    const calls: TakenCall[] = [];
    const server = createServer(async (request, response) => {
      const call = await readCall(request);
      calls.push(call);
      answer(call, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    servers.push(server);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { url, calls, stop: () => stop(server) };
  };

  /** A custom bot: it plays its script, then takes every card that is whole and, with a secret, signed. */
  const serveFeishu = async ({ secret, script = [] }: { secret?: string; script?: Script[] } = {}) => {
    const cards: TakenCall[] = [];
    const steps = [...script];
    const server = await serve((call, response) => {
      const step = steps.shift();
      if (typeof step === "function") return step(call, response);
      const code = step ?? findFault(call, secret);
      if (code === 0) cards.push(call);
      reply(response, { code, msg: code === 0 ? "success" : "no", data: {} });
    });
    return { ...server, url: `${server.url}/open-apis/bot/v2/hook/0a1b2c3d-token`, cards };
  };

  return { serve, serveFeishu };
}

export function reply(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** The vendor's rules: size, form, signature. */
function findFault({ text, body }: TakenCall, secret: string | undefined): number {
  if (Buffer.byteLength(text) > 20_000) return 9499;
  if (body["msg_type"] !== "interactive" || typeof body["card"] !== "object") return 19002;
  if (secret === undefined) return 0;
  const key = `${body["timestamp"]}\n${secret}`;
  const age = Math.abs(Date.now() / 1000 - Number(body["timestamp"]));
  return body["sign"] === createHmac("sha256", key).digest("base64") && age < HOUR_S ? 0 : 19021;
}

async function readCall(request: IncomingMessage): Promise<TakenCall> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  return { path: request.url ?? "", text, body: text === "" ? {} : JSON.parse(text) };
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
