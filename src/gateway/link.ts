import type { Socket } from "node:net";
import type { Clock } from "../base/clock.ts";
import { closeCodes, makeCloseReason } from "../wire/close-codes.ts";
import { type ControlMessage, makeControl } from "../wire/control.ts";
import { type AgentSocket, type LinkOwner, startHearing, stopHearing } from "./agent-socket.ts";
import { formatAddress } from "./format-address.ts";
import type { GatewayTimers } from "./gateway-flags.ts";
import { makeMessageHeader } from "./message-header.ts";

/** How a WebSocket says that its connection broke off. */
const BROKEN_OFF = 1006;

/** A ping without content, as it is on the wire. */
const PING = Uint8Array.of(0x89, 0);

/** Control messages are small, and so is a late answer; pings count too, of which so many take weeks. */
const MOST_WITHOUT_SESSION_BYTES = 1024 * 1024;

/** One live socket of an agent. After its end nothing it does has an effect. */
export class Link {
  readonly #openedAtMs: number;
  readonly #socket: Socket;
  readonly #webSocket: AgentSocket;
  #bytesSeen = 0;
  #heardAtMs: number;
  #pingedAtMs: number;

  constructor(webSocket: AgentSocket, socket: Socket, owner: LinkOwner, clock: Clock) {
    const nowMs = clock.monotonicMs();
    this.#openedAtMs = clock.now().getTime();
    this.#socket = socket;
    this.#webSocket = webSocket;
    this.#heardAtMs = nowMs;
    this.#pingedAtMs = nowMs;
    startHearing(webSocket, socket, owner);
  }

  get openedAt(): Date {
    return new Date(this.#openedAtMs);
  }

  /** `203.0.113.7:50432`, or that of the proxy before us; undefined once the socket is gone. */
  get peer(): string | undefined {
    const { remoteAddress, remotePort = 0 } = this.#socket;
    return remoteAddress && formatAddress(remoteAddress, remotePort);
  }

  sendControl(message: ControlMessage): void {
    this.#webSocket.send(makeControl(message));
  }

  /**
   * Sends a data frame, past `ws` and so without a copy. False when the agent has closed. The payload must not change
   * until it is answered.
   */
  sendFrame(sid: Uint8Array, payload: Uint8Array): boolean {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return false;
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

  /** One without a mark goes past `ws`, as frames do: ten thousand a round would each leave a heap of garbage. */
  sendPing(mark = ""): void {
    if (mark !== "") this.#webSocket.ping(mark);
    else if (this.#webSocket.readyState === this.#webSocket.OPEN) this.#socket.write(PING);
  }

  /** So much of the silence is not the agent's. */
  excuse(ms: number): void {
    this.#heardAtMs += ms;
  }

  /**
   * Pings when it is time; ends the link when nothing came for too long. Any byte counts, also of a frame half here; but who
   * has no session has no big frame to send: half ones would fill the gateway's memory.
   */
  sweep(nowMs: number, { pingMs, readDeadlineMs }: GatewayTimers, hasSession: boolean): void {
    const { bytesRead } = this.#socket;
    if (!hasSession && bytesRead - this.#webSocket.bytesHeard > MOST_WITHOUT_SESSION_BYTES) {
      this.cut("a big frame outside a session");
      return;
    }
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
    stopHearing(this.#webSocket, code ?? closeCodes.done, reason);
  }

  /** Breaks the connection off without a word: the other side sees a reset. */
  cut(reason: string): void {
    this.#socket.resetAndDestroy();
    stopHearing(this.#webSocket, BROKEN_OFF, reason);
  }
}
