import { WebSocket } from "ws";
import { waitFor } from "./wait-for.ts";
import { type SocketEnd, watchSocket } from "./watch-socket.ts";

/** A simulator that does nothing by itself: a WebSocket client, to break rules with. */
export interface RawSimulator {
  readonly webSocket: WebSocket;
  /** What came, in order. */
  readonly frames: readonly Buffer[];
  readonly texts: readonly string[];
  readonly closed: Promise<SocketEnd>;
  send(observation: Uint8Array | string): void;
  /** Waits for the next binary frame beyond those that were waited for already. */
  nextFrame(): Promise<Buffer>;
  /** Sends an observation and waits for the frame that follows. */
  ask(observation: Uint8Array): Promise<Buffer>;
}

interface DialOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly autoPong?: boolean;
}

/** Dials and returns when the upgrade was answered, with whatever. */
export async function dialSimulator(
  url: string,
  { key, headers, autoPong = true }: DialOptions = {},
): Promise<RawSimulator> {
  const webSocket = new WebSocket(url, {
    autoPong,
    perMessageDeflate: false,
    headers: { ...headers, ...(key === undefined ? {} : { Authorization: `Api-Key ${key}` }) },
  });
  const frames: Buffer[] = [];
  const texts: string[] = [];
  let taken = 0;
  webSocket.on("message", (data: Buffer, isBinary) => {
    if (isBinary) frames.push(data);
    else texts.push(data.toString());
  });
  const { closed } = await watchSocket(webSocket);
  const send = (observation: Uint8Array | string) => webSocket.send(observation);
  const nextFrame = async () => {
    const number = taken++;
    await waitFor(() => frames.length > number, { what: `frame number ${number + 1}`, intervalMs: 2 });
    return frames[number] as Buffer;
  };
  const ask = (observation: Uint8Array) => {
    send(observation);
    return nextFrame();
  };
  return { webSocket, frames, texts, closed, send, nextFrame, ask };
}
