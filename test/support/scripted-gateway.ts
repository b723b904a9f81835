import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import {
  type ControlMessage,
  makeControl,
  type ParsedControl,
  parseControl,
} from "../../src/wire/control.ts";
import { decodeFrame, encodeFrame } from "../../src/wire/frame.ts";

export interface ScriptedDial {
  readonly jobUuid: string | null;
  readonly agentId: string | null;
  readonly token: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
}

/**
 * What a dial is answered with: a link, a link that is closed at once (the connection may stay), or another answer than
 * 101.
 */
export type DialAnswer =
  | "accept"
  | "cut"
  | { readonly close: number; readonly reason?: string; readonly isLeftOpen?: boolean }
  | { readonly play: (link: ScriptedLink) => void }
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> };

/** The gateway's end of one link, for a test to play. */
export interface ScriptedLink {
  readonly agentId: string | null;
  readonly socket: WebSocket;
  /** The connection below it, for bytes that no WebSocket sends. */
  readonly raw: Duplex;
  /** Resolves with the code that the agent closed with; 1006 without a close frame. */
  readonly closed: Promise<number>;
  /** Pings that came, proofs of replies included. */
  readonly pings: number;
  tell(message: ControlMessage | string): void;
  observe(sid: string, payload: Uint8Array | string, options?: { fragments?: boolean }): void;
  nextReply(): Promise<{ sid: string; payload: Buffer }>;
  nextControl(): Promise<ParsedControl>;
  /** Replies that came and were not asked for yet. */
  readonly waiting: number;
  /** Warm-up and `ready`. */
  warmUp(): Promise<void>;
  reset(): void;
}

export interface ScriptedGateway {
  readonly url: string;
  readonly port: number;
  readonly dials: readonly ScriptedDial[];
  /** Decides about each dial; default: every one is accepted. */
  answer: (dial: ScriptedDial, number: number) => DialAnswer;
  /** The next link that no test has taken yet. */
  nextLink(): Promise<ScriptedLink>;
  close(): Promise<void>;
}

/** A WebSocket server that does nothing by itself: the test says every word of it. */
export async function startScriptedGateway(path = "/api/challenge/tunnel"): Promise<ScriptedGateway> {
  const server = createServer((_, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const links = makeQueue<ScriptedLink>();
  const dials: ScriptedDial[] = [];
  const open = new Set<Duplex>();
  server.on("upgrade", (request, socket, head) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy());
    const dial = readDial(request);
    dials.push(dial);
    const answer = gateway.answer(dial, dials.length);
    if (typeof answer === "object" && "status" in answer) return refuse(socket, answer);
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      if (answer === "accept") return links.push(makeLink(webSocket, socket, dial));
      if (typeof answer === "object" && "play" in answer)
        return answer.play(makeLink(webSocket, socket, dial));
      webSocket.on("error", () => webSocket.terminate());
      // Who does not read the answer to its close frame does not end the connection.
      if (typeof answer === "object" && answer.isLeftOpen) webSocket.pause();
      return answer === "cut" ? socket.destroy() : webSocket.close(answer.close, answer.reason);
    });
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const gateway: ScriptedGateway = {
    url: `ws://127.0.0.1:${port}${path}`,
    port,
    dials,
    answer: () => "accept",
    nextLink: () => links.next("a link"),
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return gateway;
}

function makeLink(webSocket: WebSocket, raw: Duplex, dial: ScriptedDial): ScriptedLink {
  const replies = makeQueue<{ sid: string; payload: Buffer }>();
  const controls = makeQueue<ParsedControl>();
  let pings = 0;
  webSocket.on("ping", () => {
    pings += 1;
  });
  webSocket.on("error", () => webSocket.terminate());
  webSocket.on("message", (data, isBinary) => {
    if (!isBinary) return controls.push(parseControl(String(data)));
    const frame = decodeFrame(data as Buffer);
    if (frame.fault !== undefined) throw new Error(`the agent sent a malformed frame: ${frame.fault}`);
    return replies.push({ sid: Buffer.from(frame.sid).toString(), payload: Buffer.from(frame.payload) });
  });
  const tell = (message: ControlMessage | string) =>
    webSocket.send(typeof message === "string" ? message : makeControl(message));
  return {
    agentId: dial.agentId,
    socket: webSocket,
    raw,
    closed: new Promise((resolve) => webSocket.on("close", resolve)),
    get pings() {
      return pings;
    },
    tell,
    observe: (sid, payload, { fragments = false } = {}) => {
      const frame = encodeFrame(Buffer.from(sid), Buffer.from(payload));
      if (!fragments) return webSocket.send(frame);
      const cut = frame.length - Buffer.from(payload).length;
      webSocket.send(frame.subarray(0, cut), { fin: false });
      webSocket.send(frame.subarray(cut), { fin: true });
    },
    nextReply: () => replies.next("a reply"),
    nextControl: () => controls.next("a control message"),
    get waiting() {
      return replies.size;
    },
    warmUp: async () => {
      tell({ type: "warmup" });
      const { type } = await controls.next("ready");
      if (type !== "ready") throw new Error(`the agent answered ${type} to the warm-up`);
    },
    reset: () => {
      if ("resetAndDestroy" in raw) (raw as import("node:net").Socket).resetAndDestroy();
    },
  };
}

function readDial({ url = "", headers }: IncomingMessage): ScriptedDial {
  const query = new URL(url, "ws://here").searchParams;
  const token = headers.authorization?.replace(/^Bearer /, "") ?? "";
  return { jobUuid: query.get("job"), agentId: query.get("agent"), token, query, headers };
}

function refuse(
  socket: Duplex,
  { status, body = "", headers = {} }: Extract<DialAnswer, { status: number }>,
) {
  const lines = Object.entries({ "content-length": Buffer.byteLength(body), ...headers });
  socket.end(
    `HTTP/1.1 ${status} Refused\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
  );
}

const PATIENCE_MS = 10_000;

/** What came and is taken in order; who asks before it came waits. */
function makeQueue<Item>() {
  const items: Item[] = [];
  const waiting: ((item: Item) => void)[] = [];
  return {
    get size() {
      return items.length;
    },
    push: (item: Item) => {
      const next = waiting.shift();
      if (next) next(item);
      else items.push(item);
    },
    next: (what: string) =>
      new Promise<Item>((resolve, reject) => {
        const item = items.shift();
        if (item !== undefined) return resolve(item);
        const timer = setTimeout(() => reject(new Error(`${what} did not come`)), PATIENCE_MS);
        waiting.push((came) => {
          clearTimeout(timer);
          resolve(came);
        });
        return undefined;
      }),
  };
}
