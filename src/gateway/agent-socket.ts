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

/** A WebSocket that knows who hears it: ten thousand idle agents share their listeners instead of having five each. */
export class AgentSocket extends WebSocket {
  owner: LinkOwner | undefined;
}

/** From now on the owner hears this socket. */
export function startHearing(webSocket: AgentSocket, owner: LinkOwner): void {
  webSocket.owner = owner;
  webSocket.binaryType = "fragments";
  webSocket.on("message", hearMessage);
  webSocket.on("ping", hearPing);
  webSocket.on("pong", hearPong);
  webSocket.on("error", hearFault);
  webSocket.on("close", hearClose);
}

/** From now on nobody hears this socket; its owner is told. */
export function stopHearing(webSocket: AgentSocket, code: number, reason: string): void {
  const { owner } = webSocket;
  webSocket.owner = undefined;
  owner?.loseLink(code, reason);
}

function hearMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  const owner = findOwner(this);
  if (owner === undefined) return;
  if (isBinary) takeFrame(owner, data as Buffer[]);
  else takeText(owner, (data as Buffer).toString("utf8", 0, MAX_TEXT_BYTES));
}

function hearPing(this: WebSocket): void {
  findOwner(this)?.report({ type: "agent_ping" });
}

function hearPong(this: WebSocket, mark: Buffer): void {
  findOwner(this)?.receivePong(mark.toString("latin1"));
}

/** A frame that breaks the rules of WebSocket itself, over which `ws` closes. Faults of the network come as the end. */
function hearFault(this: WebSocket, fault: NodeJS.ErrnoException): void {
  if (!fault.code?.startsWith("WS_")) return;
  const isTooBig = fault.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";
  const why = isTooBig ? describeTooBig(findClaimedBytes(this)) : describeFault(fault);
  findOwner(this)?.report({ type: "malformed_frame", why });
}

function hearClose(this: WebSocket, code: number, reason: Buffer): void {
  if (this instanceof AgentSocket) stopHearing(this, code, makePrintable(reason.toString("utf8")));
}

function findOwner(webSocket: WebSocket): LinkOwner | undefined {
  return webSocket instanceof AgentSocket ? webSocket.owner : undefined;
}
