import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import { describeFault } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { makeCloseReason } from "../../wire/close-codes.ts";
import { describeTooBig, findClaimedBytes } from "../../wire/message.ts";
import type { PolicyDialect } from "../config/gateway-config.ts";
import { policyCloseCodes } from "./close-codes.ts";

/** How a connection ended. */
export interface ConnectionEnd {
  readonly code: number;
  readonly reason: string;
  /** `fault`: the simulator broke the protocol. `gateway`: our side closed. */
  readonly by: "simulator" | "fault" | "gateway";
}

/** Who is told what comes over a connection. */
export interface ConnectionOwner {
  /** One at a time: the next comes after `answer`. Its bytes do not change. */
  takeObservation(observation: Uint8Array): void;
  /** The simulator has the last action. */
  noteDelivery(): void;
  /** The simulator left or broke the protocol; not told where our side closed. */
  loseConnection(end: ConnectionEnd): void;
}

export interface ConnectionParts {
  readonly webSocket: WebSocket;
  readonly socket: Socket;
  readonly dialect: PolicyDialect;
  /** Told of every end, before the owner is. */
  readonly onEnd: (end: ConnectionEnd) => void;
}

export interface PolicyTimers {
  readonly pingMs: number;
  /** A connection over which nothing came for so long has ended. */
  readonly silenceMs: number;
}

type State = "waiting" | "listening" | "asking" | "answering" | "ended";

/** `waiting`: no case yet. `answering`: an action is on its way out. */
const moves: Readonly<Record<State, readonly State[]>> = {
  waiting: ["listening", "ended"],
  listening: ["asking", "ended"],
  asking: ["answering", "ended"],
  answering: ["listening", "ended"],
  ended: [],
};

/** The WebSocket of a simulator. It holds one observation that came early, and is done after its end. */
export class SimulatorConnection {
  readonly dialect: PolicyDialect;
  readonly #parts: ConnectionParts;
  readonly #webSocket: WebSocket;
  #owner: ConnectionOwner | undefined;
  #state: State = "waiting";
  #early: Uint8Array | undefined;
  #actions = 0;
  #bytesSeen = 0;
  #silentMs = 0;
  #unpingedMs = 0;
  #lastWord: ConnectionEnd | undefined;

  constructor(parts: ConnectionParts) {
    const { webSocket, dialect } = parts;
    this.dialect = dialect;
    this.#parts = parts;
    this.#webSocket = webSocket;
    webSocket.on("message", (data, isBinary) => this.#hear(data as Buffer, isBinary));
    webSocket.on("pong", (mark) => this.#hearPong(mark.toString("latin1")));
    webSocket.on("error", (fault) => this.#hearFault(fault));
    webSocket.on("close", (code, reason) =>
      this.#lose({ code, reason: makePrintable(reason.toString("utf8")), by: "simulator" }),
    );
  }

  /** Whether an observation waits for its action. */
  get isAsking(): boolean {
    return this.#state === "asking";
  }

  /** The case is there: from now on its observations go to this owner. `metadata` is sent before anything else. */
  begin(owner: ConnectionOwner, metadata: Uint8Array | undefined) {
    if (this.#lastWord !== undefined) return owner.loseConnection(this.#lastWord);
    this.#owner = owner;
    if (metadata !== undefined) this.#webSocket.send(metadata);
    this.#listen();
  }

  /** Sends the action for the observation that waits, as it is. */
  answer(action: Uint8Array): void {
    if (this.#state !== "asking") return;
    this.#move("answering");
    this.#webSocket.send(action, { binary: true }, () => {
      if (this.#state === "answering") this.#listen();
    });
    this.#actions += 1;
    // Its pong says that the action arrived.
    this.#webSocket.ping(String(this.#actions));
  }

  /** Closes from our side; the owner is not told. A sentence goes before it where that dialect takes a text for an error. */
  close(code: number, says: string): void {
    if (this.#state === "ended") return;
    const isBad = code === policyCloseCodes.broken_off || code === policyCloseCodes.stopping;
    if (isBad && this.dialect === "openpi") this.#webSocket.send(makePrintable(says));
    this.#end({ code, reason: says, by: "gateway" });
    this.#webSocket.close(code, makeCloseReason(says));
  }

  /** Pings when it is time; ends the connection when nothing came for too long. Any byte counts, also of half a frame. */
  sweep(elapsedMs: number, { pingMs, silenceMs }: PolicyTimers): void {
    if (this.#state === "ended") return;
    const { socket } = this.#parts;
    const { bytesRead } = socket;
    this.#silentMs = bytesRead === this.#bytesSeen ? this.#silentMs + elapsedMs : 0;
    this.#bytesSeen = bytesRead;
    this.#unpingedMs += elapsedMs;
    if (this.#silentMs >= silenceMs) {
      socket.resetAndDestroy();
      this.#lose({ code: 1006, reason: `no byte for ${silenceMs / 1000} s`, by: "simulator" });
    } else if (this.#unpingedMs >= pingMs) {
      this.#unpingedMs = 0;
      this.#webSocket.ping();
    }
  }

  #hear(data: Uint8Array, isBinary: boolean) {
    if (this.#state === "ended") return;
    if (!isBinary) return this.#refuse(policyCloseCodes.text, "a text frame: observations are binary frames");
    if (this.#state === "asking" || this.#early !== undefined) {
      return this.#refuse(policyCloseCodes.out_of_turn, "an observation before the last one had its action");
    }
    this.#early = data;
    if (this.#state === "listening") this.#ask();
  }

  #listen() {
    this.#move("listening");
    this.#ask();
  }

  #ask() {
    const observation = this.#early;
    if (observation === undefined) return;
    this.#early = undefined;
    this.#move("asking");
    this.#owner?.takeObservation(observation);
  }

  #hearPong(mark: string) {
    const isSettled = this.#state === "asking" || this.#state === "ended";
    if (!isSettled && mark === String(this.#actions)) this.#owner?.noteDelivery();
  }

  /** A frame that breaks the rules of WebSocket, over which `ws` closes. Faults of the network come as the end. */
  #hearFault(fault: NodeJS.ErrnoException) {
    if (!fault.code?.startsWith("WS_")) return;
    const isTooBig = fault.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";
    const reason = isTooBig ? describeTooBig(findClaimedBytes(this.#webSocket)) : describeFault(fault);
    const code = isTooBig ? policyCloseCodes.too_big : policyCloseCodes.out_of_turn;
    this.#lose({ code, reason, by: "fault" });
  }

  #refuse(code: number, reason: string) {
    this.#webSocket.close(code, makeCloseReason(reason));
    this.#lose({ code, reason, by: "fault" });
  }

  #lose(end: ConnectionEnd) {
    if (this.#state === "ended") return;
    this.#end(end);
    this.#owner?.loseConnection(end);
  }

  #end(end: ConnectionEnd) {
    this.#move("ended");
    this.#early = undefined;
    this.#lastWord = end;
    this.#parts.onEnd(end);
  }

  #move(to: State) {
    if (moves[this.#state].includes(to)) this.#state = to;
  }
}
