import type { Socket } from "node:net";
import { WebSocket } from "ws";
import { describeFault } from "../base/error.ts";
import { makePrintable } from "../base/printable.ts";
import { closeCodes, makeCloseReason } from "../wire/close-codes.ts";
import { type ControlMessage, makeControl } from "../wire/control.ts";
import { makeMessageHeader } from "./message-frame.ts";
import { type InboxTunnel, takeFrame, takeText } from "./tunnel-inbox.ts";

/** Beyond this a text is no control message, so no more of it is decoded. */
const MAX_TEXT_BYTES = 256 * 1024;

/** How a WebSocket says that its connection broke off. */
const BROKEN_OFF = 1006;

/** Whoever owns a link hears what comes over it, and its end once, also when it ended it itself. */
export interface LinkOwner extends InboxTunnel {
  /** `mark` is what the ping carried. */
  receivePong(mark: string): void;
  /** No more comes from this link. */
  loseLink(code: number, reason: string): void;
}

/** One live socket of an agent. After its end nothing it does has an effect. */
export class Link {
  readonly #socket: Socket;
  readonly #webSocket: WebSocket;
  #owner: LinkOwner | undefined;
  #bytesSeen = 0;
  #heardAtMs: number;
  #pingedAtMs: number;

  constructor(webSocket: WebSocket, socket: Socket, owner: LinkOwner, nowMs: number) {
    this.#socket = socket;
    this.#webSocket = webSocket;
    this.#owner = owner;
    this.#heardAtMs = nowMs;
    this.#pingedAtMs = nowMs;
    webSocket.binaryType = "fragments";
    webSocket.on("message", (data, isBinary) => this.#take(data as Buffer | Buffer[], isBinary));
    webSocket.on("ping", () => this.#owner?.report({ type: "agent_ping" }));
    webSocket.on("pong", (mark) => this.#owner?.receivePong(mark.toString("latin1")));
    webSocket.on("error", (fault: NodeJS.ErrnoException) => this.#reportFault(fault));
    webSocket.on("close", (code, reason) => this.#finish(code, makePrintable(reason.toString("utf8"))));
  }

  sendControl(message: ControlMessage): void {
    this.#webSocket.send(makeControl(message));
  }

  /** Sends a data frame, past `ws` and so without a copy. False when the agent has closed. The payload must not change until it is answered. */
  sendFrame(sid: Uint8Array, payload: Uint8Array): boolean {
    if (this.#webSocket.readyState !== WebSocket.OPEN) return false;
    this.#socket.cork();
    this.#socket.write(makeMessageHeader(sid, payload.length));
    if (payload.length > 0) this.#socket.write(payload);
    this.#socket.uncork();
    return true;
  }

  /** Sends anything, past every rule. */
  sendRaw(data: string | Uint8Array): void {
    this.#webSocket.send(data);
  }

  sendPing(mark = ""): void {
    this.#webSocket.ping(mark);
  }

  /** Pings when it is time; ends the link when nothing came for too long. Any byte counts, also of a frame half here. */
  sweep(nowMs: number, pingMs: number, readDeadlineMs: number): void {
    const { bytesRead } = this.#socket;
    if (bytesRead !== this.#bytesSeen) {
      this.#bytesSeen = bytesRead;
      this.#heardAtMs = nowMs;
    } else if (nowMs - this.#heardAtMs >= readDeadlineMs) {
      this.cut(`no byte for ${readDeadlineMs / 1000} s`);
      return;
    }
    if (nowMs - this.#pingedAtMs < pingMs) return;
    this.#pingedAtMs = nowMs;
    this.sendPing();
  }

  /** Ends the link in an orderly way, with a word where a code is given. */
  close(code?: number, reason = ""): void {
    this.#webSocket.close(code, code === undefined ? undefined : makeCloseReason(reason));
    this.#finish(code ?? closeCodes.done, reason);
  }

  /** Breaks the connection off without a word: the other side sees a reset. */
  cut(reason: string): void {
    this.#socket.resetAndDestroy();
    this.#finish(BROKEN_OFF, reason);
  }

  #take(data: Buffer | Buffer[], isBinary: boolean): void {
    if (this.#owner === undefined) return;
    if (isBinary) takeFrame(this.#owner, data as Buffer[]);
    else takeText(this.#owner, (data as Buffer).toString("utf8", 0, MAX_TEXT_BYTES));
  }

  /** A frame that breaks the rules of WebSocket itself; `ws` has closed the link over it. Faults of the socket follow as its end. */
  #reportFault(fault: NodeJS.ErrnoException): void {
    if (!fault.code?.startsWith("WS_")) return;
    this.#owner?.report({ type: "malformed_frame", why: describeFault(fault) });
  }

  #finish(code: number, reason: string): void {
    const owner = this.#owner;
    this.#owner = undefined;
    owner?.loseLink(code, reason);
  }
}
