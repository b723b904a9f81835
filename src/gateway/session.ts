import { formatBytes } from "../base/bytes.ts";
import { SortieError } from "../base/error.ts";
import { MAX_MESSAGE_BYTES } from "../wire/message.ts";
import { encodeSessionId } from "../wire/session-id.ts";
import type { SessionLoss } from "./session-loss.ts";
import type { Policy } from "./simulator.ts";

/** A strict session keeps so many replies that nobody waits for yet, and not more bytes than one message may have. */
const MOST_SURPLUS = 16;
const MOST_SURPLUS_BYTES = MAX_MESSAGE_BYTES;

/** How a session reaches its agent; it sends nothing while the link is down. */
export interface SessionLine {
  /** Whether it could be sent. `resent`: it was sent before. */
  sendObservation(session: Session, observation: Uint8Array, resent: boolean): boolean;
  /** A reply was taken; it is kept before the simulator gets it. */
  keepReply?(session: Session, payload: Uint8Array): void;
  /** Nothing more is asked in this session. */
  closeSession?(session: Session): void;
  /** After a restart, the simulator is where it was and asks again: the agent may hear of it. */
  goOn?(session: Session): void;
}

/** What is known of a session from before a restart of the gateway. */
export interface SessionPast {
  readonly sessionId: string;
  /** Those that were taken, in order, where a simulator that starts over is to be answered from them; else none. */
  readonly replies: readonly Uint8Array[];
  /** How many were taken. */
  readonly count: number;
}

interface Waiting {
  readonly observation: Uint8Array;
  wasSent: boolean;
  readonly resolve: (action: Uint8Array) => void;
  readonly reject: (error: SortieError) => void;
}

/** A case as it is played over a tunnel: one observation at a time, its reply, and the count of replies. */
export class Session implements Policy {
  readonly sessionId: string;
  readonly sid: Uint8Array;
  readonly #line: SessionLine;
  readonly #isStrict: boolean;
  readonly #ending = new AbortController();
  readonly #surplus: Uint8Array[] = [];
  #waiting: Waiting | undefined;
  #loss: SessionLoss | undefined;
  /** Answers for a simulator that starts over; undefined once it is where it was. */
  #past: Uint8Array[] | undefined;
  #isRestored: boolean;
  #replies = 0;
  #surplusBytes = 0;

  /** `isStrict`: a reply that nobody waits for is kept and answers the next observation, as on the platform; a few are. */
  constructor(sessionId: string, line: SessionLine, isStrict: boolean, past?: SessionPast) {
    this.sessionId = sessionId;
    this.sid = encodeSessionId(sessionId);
    this.#line = line;
    this.#isStrict = isStrict;
    this.#past = past && [...past.replies];
    this.#isRestored = past !== undefined;
    this.#replies = past?.count ?? 0;
  }

  /** Aborts when the session is lost. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get loss(): SessionLoss | undefined {
    return this.#loss;
  }

  /** How many replies have been taken. */
  get replies(): number {
    return this.#replies;
  }

  /** Whether an observation waits for its reply. */
  get isWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  /** Whether the observation that waits is the first since a restart and was not sent: nobody has dropped it. */
  get isOwed(): boolean {
    return this.#isRestored && this.#waiting?.wasSent === false;
  }

  /** Whether the simulator is not yet where it was before a restart. */
  get isBehind(): boolean {
    return this.#past !== undefined;
  }

  /** The simulator did not start over: it stands where it stood. */
  skipPast(): void {
    this.#past &&= [];
  }

  async infer(observation: Uint8Array): Promise<Uint8Array> {
    if (this.#loss !== undefined) throw this.#loss.error;
    if (this.#waiting !== undefined) throw new SortieError("observation_waits", { session: this.sessionId });
    checkSize(this.sid, observation);
    const known = this.#past?.shift() ?? this.#takeCaughtUp();
    if (known !== undefined) return known;
    const answer = new Promise<Uint8Array>((resolve, reject) => {
      this.#waiting = { observation, wasSent: false, resolve, reject };
    });
    this.#ask();
    const early = this.#takeSurplus();
    if (early !== undefined) this.#answer(early);
    return answer;
  }

  /** The reply to the observation with which the simulator is where it was, should the agent have sent it meanwhile. */
  #takeCaughtUp(): Uint8Array | undefined {
    if (this.#past === undefined) return undefined;
    const early = this.#takeSurplus();
    if (early === undefined) return undefined;
    this.#past = undefined;
    this.#line.goOn?.(this);
    return early;
  }

  #takeSurplus(): Uint8Array | undefined {
    const early = this.#surplus.shift();
    this.#surplusBytes -= early?.length ?? 0;
    return early;
  }

  #ask(): void {
    if (this.#past === undefined) {
      this.send();
    } else {
      this.#past = undefined;
      this.#line.goOn?.(this);
    }
  }

  /** Sends the observation that waits, for the first time or again. */
  send(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    if (this.#line.sendObservation(this, waiting.observation, waiting.wasSent)) waiting.wasSent = true;
  }

  /**
   * Takes a reply of the agent. Whether an observation was waiting for it, or is about to: an agent that was asked before a
   * restart sends its reply once, and may be back sooner than the simulator.
   */
  receive(payload: Uint8Array): boolean {
    if (this.#waiting === undefined) {
      const isAwaited = this.isBehind && this.#surplus.length === 0;
      if (this.#isStrict || isAwaited) this.#keep(payload);
      return isAwaited;
    }
    this.#replies += 1;
    this.#isRestored = false;
    this.#line.keepReply?.(this, payload);
    this.#answer(payload);
    return true;
  }

  release(): void {
    this.#line.closeSession?.(this);
  }

  /** No more can be asked; an observation that waits may still be answered. */
  refuseMore(loss: SessionLoss): void {
    this.#loss ??= loss;
    this.#ending.abort(this.#loss.error);
  }

  /** Ends the session. The first reason stays. */
  end(loss: SessionLoss): void {
    this.refuseMore(loss);
    this.#waiting?.reject((this.#loss ?? loss).error);
    this.#waiting = undefined;
  }

  #keep(payload: Uint8Array): void {
    const bytes = this.#surplusBytes + payload.length;
    if (this.#surplus.length === MOST_SURPLUS || bytes > MOST_SURPLUS_BYTES) return;
    this.#surplus.push(payload);
    this.#surplusBytes = bytes;
    this.#replies += 1;
    this.#isRestored = false;
    this.#line.keepReply?.(this, payload);
  }

  #answer(payload: Uint8Array): void {
    this.#waiting?.resolve(payload);
    this.#waiting = undefined;
  }
}

function checkSize(sid: Uint8Array, observation: Uint8Array) {
  const headerBytes = 4 + sid.length;
  if (headerBytes + observation.length <= MAX_MESSAGE_BYTES) return;
  throw new SortieError("observation_too_big", {
    bytes: observation.length,
    size: formatBytes(observation.length),
    most: MAX_MESSAGE_BYTES,
  });
}
