import { randomUUID } from "node:crypto";
import { WebSocket } from "ws";
import { decodeFrame, encodeFrame } from "../../src/wire/frame.ts";
import { waitFor } from "./wait-for.ts";
import { type SocketEnd, watchSocket } from "./watch-socket.ts";

/** An agent that does nothing by itself: a WebSocket client with the tunnel's frames, to break rules with. */
export interface RawAgent {
  readonly agentId: string;
  readonly webSocket: WebSocket;
  /** The text frames that came, in order. */
  readonly controls: readonly {
    readonly type: string;
    readonly session_id?: string;
    readonly [key: string]: unknown;
  }[];
  /** The binary frames that came and were not served. */
  readonly frames: readonly { readonly sid: string; readonly payload: Buffer }[];
  readonly closed: Promise<SocketEnd>;
  /** Waits for the next text frame of this type beyond those that were waited for already. */
  waitForControl(type: string): Promise<RawAgent["controls"][number]>;
  waitForFrame(): Promise<RawAgent["frames"][number]>;
  /** Sends JSON, or text as it is. */
  say(message: object | string): void;
  reply(sid: string, payload: Uint8Array | string): void;
  /** From now on: `ready` at the warm-up, an answer to each frame, and 1000 at the drain. */
  serve(answer: (payload: Buffer) => Uint8Array | Promise<Uint8Array>): void;
}

interface DialOptions {
  readonly agentId?: string;
  readonly token?: string;
  /** Said the moment that the link is there. */
  readonly greeting?: string;
  /** Whether pings are answered. Default: true. */
  readonly autoPong?: boolean;
}

/** Dials and returns when the upgrade was answered, with whatever. */
export async function dialRaw(
  gateway: { readonly tunnelUrl: string },
  job: { readonly uuid: string; readonly token: string },
  { agentId = randomUUID(), token = job.token, greeting, autoPong = true }: DialOptions = {},
): Promise<RawAgent> {
  const url = `${gateway.tunnelUrl}?job=${job.uuid}&agent=${encodeURIComponent(agentId)}`;
  const webSocket = new WebSocket(url, {
    autoPong,
    perMessageDeflate: false,
    maxPayload: 64 * 1024 * 1024,
    headers: { Authorization: `Bearer ${token}` },
  });
  const controls: RawAgent["controls"][number][] = [];
  const frames: RawAgent["frames"][number][] = [];
  const taken = new Map<string, number>();
  let framesTaken = 0;
  let answer: ((payload: Buffer) => Uint8Array | Promise<Uint8Array>) | undefined;

  const say = (message: object | string) =>
    webSocket.send(typeof message === "string" ? message : JSON.stringify(message));
  const reply = (sid: string, payload: Uint8Array | string) =>
    webSocket.send(encodeFrame(Buffer.from(sid), Buffer.from(payload)));
  const serveControl = (type: string) => {
    if (type === "warmup") say({ type: "ready" });
    if (type === "drain") webSocket.close(1000);
  };
  const serveFrame = async ({ sid, payload }: RawAgent["frames"][number]) => {
    if (answer !== undefined) reply(sid, await answer(payload));
  };
  webSocket.on("open", () => greeting !== undefined && say(greeting));
  webSocket.on("message", (data: Buffer, isBinary) => {
    if (!isBinary) {
      const control = JSON.parse(data.toString());
      controls.push(control);
      if (answer !== undefined) serveControl(control.type);
      return;
    }
    const frame = decodeFrame(data);
    if (frame.fault !== undefined) throw new Error(`the gateway sent a frame that is ${frame.fault}`);
    const read = { sid: Buffer.from(frame.sid).toString(), payload: Buffer.from(frame.payload) };
    if (answer === undefined) frames.push(read);
    else void serveFrame(read);
  });
  const { closed } = await watchSocket(webSocket);
  return {
    agentId,
    webSocket,
    controls,
    frames,
    closed,
    waitForControl: async (type) => {
      const before = taken.get(type) ?? 0;
      taken.set(type, before + 1);
      return waitFor(() => controls.filter((control) => control.type === type)[before], {
        what: `"${type}" number ${before + 1}`,
        intervalMs: 2,
      });
    },
    waitForFrame: async () => {
      const before = framesTaken++;
      return waitFor(() => frames[before], { what: `frame number ${before + 1}`, intervalMs: 2 });
    },
    say,
    reply,
    serve: (by) => {
      answer = by;
      for (const { type } of controls) serveControl(type);
      for (const frame of frames.splice(0)) void serveFrame(frame);
    },
  };
}
