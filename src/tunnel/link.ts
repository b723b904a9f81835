import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { WebSocket } from "ws";
import type { Clock } from "../base/clock.ts";
import { makePrintable } from "../base/printable.ts";
import { encodeFrame, makeFrameHeader } from "../wire/frame.ts";
import { describeTooBig, findClaimedBytes } from "../wire/message.ts";
import type { AgentTimers } from "./agent-options.ts";
import type { OpenedSocket } from "./dial.ts";

export interface LinkListener {
  /** The gateway gave its first sign: a frame or a ping. Comes before that frame; not at all on a refusal. */
  onSign(): void;
  onText(text: string): void;
  onBinary(fragments: readonly Uint8Array[]): void;
  /** Once, at the end; nothing comes after it. */
  onEnd(end: LinkEnd): void;
}

export interface LinkEnd {
  /** That of the close frame; 1006 where none came. */
  readonly code: number;
  /** The words of the close frame, printable. */
  readonly reason: string;
  /** What ended it, where we did or saw it ourselves. */
  readonly says?: string;
  readonly lastedMs: number;
  readonly hadSign: boolean;
}

export interface SendWatch {
  /** The system has all bytes; or, where it is not done, the link broke off before. */
  onSent(isDone: boolean): void;
  /** The gateway has read the frame. Not called once a later frame is under way. */
  onProven(): void;
}

/** What is longer goes out as two fragments, uncopied; below, one message costs less than two. Measured. */
const ONE_PIECE_BYTES = 256 * 1024;
/** A slower network than 100 kB/s is not waited for: a pong may be late by what lies before its ping. */
const SLOWEST_BYTES_PER_MS = 100;
/** Of a gateway that sends more than this between two pings, the next one waits behind a large frame. */
const LARGE_BYTES = 64 * 1024;

/** One open WebSocket of the agent: frames in and out, and the watch over whether anybody is there. */
export class Link {
  /** The gateway says `resume` over it before it goes on with a session. */
  readonly tellsResume: boolean;
  readonly #socket: WebSocket;
  readonly #raw: Socket;
  readonly #timers: AgentTimers;
  readonly #clock: Clock;
  readonly #over = new AbortController();
  readonly #startedMs: number;
  /** When the close frame came, or went; the connection itself may end much later. */
  #closingMs: number | undefined;
  #listener: LinkListener | undefined;
  #hadSign = false;
  #says: string | undefined;
  /** We closed it: what comes until the gateway has closed it too is for nobody. */
  #isLeft = false;
  #frames = 0;
  #proof: { readonly frame: number; readonly onProven: () => void } | undefined;
  #unprovenBytes = 0;
  #lastPing: { atMs: number; bytesRead: number } | undefined;

  constructor({ socket, raw, tellsResume }: OpenedSocket, timers: AgentTimers, clock: Clock) {
    this.tellsResume = tellsResume;
    this.#socket = socket;
    this.#raw = raw;
    this.#timers = timers;
    this.#clock = clock;
    this.#startedMs = clock.monotonicMs();
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Grows with whatever comes, also with a part of a frame. */
  get bytesRead(): number {
    return this.#raw.bytesRead;
  }

  /** Lets frames in. */
  start(listener: LinkListener) {
    this.#listener = listener;
    const socket = this.#socket;
    socket.on("message", (data, isBinary) => {
      this.#noteSign();
      if (this.#isLeft) return;
      if (isBinary) listener.onBinary(data as Buffer[]);
      else listener.onText(String(data));
    });
    socket.on("ping", () => this.#notePing());
    socket.on("pong", (data) => this.#notePong(Number.parseInt(String(data), 10)));
    socket.on("error", (fault) => this.#noteFault(fault));
    // Behind the listener of ws, which has read the chunk by now.
    this.#raw.on("data", () => this.#noteClosing());
    socket.on("close", (code, reason) => this.#end(code, makePrintable(String(reason))));
    this.#watchPongs();
    socket.resume();
  }

  /** False where there is no link any more. */
  sendText(text: string): boolean {
    if (!this.isOpen) return false;
    this.#socket.send(text);
    return true;
  }

  /**
   * Sends a data frame, and where it is watched a ping behind it, in one go. False where there is no link any more. Many pings
   * at once would be taken for an attack: so what needs no proof brings none.
   */
  sendFrame(sid: Uint8Array, payload: Uint8Array, watch?: SendWatch): boolean {
    if (!this.isOpen) return false;
    this.#frames += 1;
    if (watch) this.#proof = { frame: this.#frames, onProven: watch.onProven };
    this.#unprovenBytes += payload.length;
    const sent = (fault?: Error | null) => watch?.onSent(!fault);
    this.#raw.cork();
    if (payload.length <= ONE_PIECE_BYTES) this.#socket.send(encodeFrame(sid, payload), sent);
    else {
      this.#socket.send(makeFrameHeader(sid), { fin: false });
      this.#socket.send(payload, { fin: true }, sent);
    }
    if (watch) this.#ping();
    this.#raw.uncork();
    return true;
  }

  /** Ends the link in order; within 2 s, whether the gateway answers or not. */
  close(code: number, reason: string) {
    this.#says ??= reason;
    this.#isLeft = true;
    if (this.isOpen) this.#socket.close(code, reason);
    else this.#socket.terminate();
  }

  /** Breaks the link off. */
  cut(says: string) {
    this.#says ??= says;
    this.#socket.terminate();
  }

  #noteSign() {
    if (this.#hadSign) return;
    this.#hadSign = true;
    this.#listener?.onSign();
  }

  #notePing() {
    this.#noteSign();
    const isFirst = this.#lastPing === undefined;
    this.#lastPing = { atMs: this.#clock.monotonicMs(), bytesRead: this.#raw.bytesRead };
    if (isFirst) this.#watchPings();
  }

  /** Says how many frames went before it; so its pong proves them, and a pong may stand for several pings. */
  #ping() {
    this.#socket.ping(String(this.#frames));
  }

  #notePong(frames: number) {
    if (frames === this.#frames) this.#unprovenBytes = 0;
    if (this.#proof === undefined || !(frames >= this.#proof.frame)) return;
    const { onProven } = this.#proof;
    this.#proof = undefined;
    onProven();
  }

  #noteClosing() {
    if (!this.isOpen) this.#closingMs ??= this.#clock.monotonicMs();
  }

  #noteFault(fault: Error & { code?: string }) {
    const isTooBig = fault.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";
    this.#says ??= isTooBig ? describeTooBig(findClaimedBytes(this.#socket)) : makePrintable(fault.message);
  }

  /** Cuts the link when nothing at all comes after an own ping. */
  async #watchPongs() {
    const { pingMs, pongMs } = this.#timers;
    let waitMs = pingMs;
    while (await this.#pause(waitMs)) {
      const before = this.#raw.bytesRead;
      const askedMs = this.#clock.monotonicMs();
      const limitMs = pongMs + this.#unprovenBytes / SLOWEST_BYTES_PER_MS;
      if (this.isOpen) this.#ping();
      if (!(await this.#pause(limitMs))) return;
      // What has come is read first, should this process have been busy; one that was paused judges nobody.
      if (this.#raw.bytesRead === before) await nextTurn();
      const isLate = this.#clock.monotonicMs() - askedMs > 1.5 * limitMs;
      if (this.#raw.bytesRead === before && !isLate)
        this.cut(`nothing came within ${Math.round(limitMs) / 1000} s after a ping`);
      waitMs = isLate ? 0 : Math.max(0, pingMs - limitMs);
    }
  }

  /** Cuts the link when a gateway that pinged does so no more. */
  async #watchPings() {
    const { gatewayPingMs } = this.#timers;
    while (this.#lastPing !== undefined) {
      const leftMs = this.#lastPing.atMs + gatewayPingMs - this.#clock.monotonicMs();
      if (leftMs > 0) {
        if (!(await this.#pause(leftMs))) return;
        await nextTurn();
      } else if (this.#raw.bytesRead - this.#lastPing.bytesRead > LARGE_BYTES) {
        this.#lastPing = { atMs: this.#clock.monotonicMs(), bytesRead: this.#raw.bytesRead };
      } else return this.cut(`the gateway sent no ping for ${gatewayPingMs / 1000} s`);
    }
  }

  /** False when the link ended meanwhile, or is being closed: that has a limit of its own. */
  async #pause(ms: number): Promise<boolean> {
    await this.#clock.sleep(ms, this.#over.signal);
    return !this.#over.signal.aborted && this.isOpen;
  }

  #end(code: number, reason: string) {
    this.#over.abort();
    const lastedMs = (this.#closingMs ?? this.#clock.monotonicMs()) - this.#startedMs;
    this.#listener?.onEnd({ code, reason, says: this.#says, lastedMs, hadSign: this.#hadSign });
    this.#listener = undefined;
  }
}
