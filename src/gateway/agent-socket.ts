import type { Socket } from "node:net";
import { type RawData, WebSocket } from "ws";
import { describeFault } from "../base/error.ts";
import { makePrintable } from "../base/printable.ts";
import { describeTooBig, findClaimedBytes } from "../wire/message.ts";
import { type InboxTunnel, takeFrame, takeText } from "./tunnel-inbox.ts";

/** Beyond this a text is no control message, so no more of it is decoded. */
const MAX_TEXT_BYTES = 256 * 1024;

/** Who hears what comes over a link, and its end once, also when the end was its own doing. */
export interface LinkOwner extends InboxTunnel {
  /** `mark` is what the ping carried. */
  receivePong(mark: string): void;
  /** No more comes from this link. */
  loseLink(code: number, reason: string): void;
}

/**
 * A WebSocket that knows who hears it. `ws` tells by events what comes; they are caught before they look for listeners, a
 * table of which would be a tenth of what an idle agent costs.
 */
export class AgentSocket extends WebSocket {
  owner: LinkOwner | undefined;
  /** What it is told on; how many bytes had come when the last whole message had. */
  socket: Socket | undefined;
  bytesHeard = 0;
  /** Those that came through the same door, from which it goes when its connection has ended. */
  peers: Set<AgentSocket> | undefined;

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    switch (event) {
      case "message":
        this.bytesHeard = this.socket?.bytesRead ?? 0;
        hearMessage(this.owner, values[0] as RawData, values[1] as boolean);
        break;
      case "ping":
        this.owner?.report({ type: "agent_ping" });
        break;
      case "pong":
        this.owner?.receivePong((values[0] as Buffer).toString("latin1"));
        break;
      case "error":
        hearFault(this, values[0] as NodeJS.ErrnoException);
        break;
      case "close":
        this.peers?.delete(this);
        stopHearing(this, values[0] as number, makePrintable((values[1] as Buffer).toString("utf8")));
        break;
      default:
    }
    return this.owner !== undefined;
  }
}

/** From now on the owner hears this socket. */
export function startHearing(webSocket: AgentSocket, socket: Socket, owner: LinkOwner): void {
  webSocket.owner = owner;
  webSocket.socket = socket;
  webSocket.bytesHeard = socket.bytesRead;
  webSocket.binaryType = "fragments";
}

/** From now on nobody hears this socket; its owner is told. */
export function stopHearing(webSocket: AgentSocket, code: number, reason: string): void {
  const { owner } = webSocket;
  webSocket.owner = undefined;
  owner?.loseLink(code, reason);
}

function hearMessage(owner: LinkOwner | undefined, data: RawData, isBinary: boolean): void {
  if (owner === undefined) return;
  if (isBinary) takeFrame(owner, data as Buffer[]);
  else takeText(owner, (data as Buffer).toString("utf8", 0, MAX_TEXT_BYTES));
}

/** A frame that breaks the rules of WebSocket itself, over which `ws` closes. Faults of the network come as the end. */
function hearFault(webSocket: AgentSocket, fault: NodeJS.ErrnoException): void {
  if (!fault.code?.startsWith("WS_")) return;
  const isTooBig = fault.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";
  const why = isTooBig ? describeTooBig(findClaimedBytes(webSocket)) : describeFault(fault);
  webSocket.owner?.report({ type: "malformed_frame", why });
}
