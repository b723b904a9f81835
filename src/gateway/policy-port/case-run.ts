import { setImmediate as waitForOthers } from "node:timers/promises";
import type { Clock } from "../../base/clock.ts";
import { describeFault, SortieError, toSortieError } from "../../base/error.ts";
import type { CaseScore, ScoreOutcome } from "../api/api-host.ts";
import type { BoardConfig } from "../config/gateway-config.ts";
import type { CaseResult, CaseSpec, Policy } from "../simulator.ts";
import { packMetadata } from "./case-metadata.ts";
import { CaseTurns } from "./case-turns.ts";
import { policyCloseCodes } from "./close-codes.ts";
import type { ConnectionEnd, ConnectionOwner, SimulatorConnection } from "./simulator-connection.ts";

/** A case as a seat is told to play it. */
export interface CasePlay {
  readonly policy: Policy;
  readonly spec: CaseSpec;
  readonly signal: AbortSignal;
}

export interface CaseRunHost {
  readonly clock: Clock;
  /**
   * How long a score, or the simulator itself, is waited for after the connection ended; and how long one that told its
   * score may keep its connection without asking.
   */
  readonly scoreWaitMs: number;
  /** What the actions of a board are made of, which a simulator of `openpi` is told. */
  findPayload(board: string): BoardConfig["payload"];
}

/** A simulator that told its score and then nothing more. */
const QUIET = { code: policyCloseCodes.done, reason: "it told a score and asked nothing" };

type State = "connected" | "apart" | "ended";

/** `apart`: the simulator left after it had actions; it may come back, or tell the score. */
const moves: Readonly<Record<State, readonly State[]>> = {
  connected: ["apart", "ended"],
  apart: ["connected", "ended"],
  ended: [],
};

function isCleanEnd({ code, by }: ConnectionEnd): boolean {
  return by === "simulator" && code === policyCloseCodes.done;
}

/** A case that a simulator from outside plays: over connections that may break, to its score or its first fault. */
export class CaseRun implements ConnectionOwner {
  readonly board: string;
  /** How the case went; rejects with SortieError `simulator_left`, `simulator_fault` or what the policy rejects with. */
  readonly result: Promise<CaseResult>;
  readonly #play: CasePlay;
  readonly #host: CaseRunHost;
  readonly #onAction: () => void;
  readonly #turns: CaseTurns;
  /** Answers before a restart of the gateway. */
  readonly #answeredBefore: number;
  readonly #over = new AbortController();
  #state: State = "connected";
  #isDone = false;
  #connection: SimulatorConnection | undefined;
  #score: CaseScore | undefined;
  #wait: AbortController | undefined;
  #resolve: (result: CaseResult) => void = () => undefined;
  #reject: (error: SortieError) => void = () => undefined;

  /** `onAction`: the simulator was given an action. */
  constructor(play: CasePlay, board: string, host: CaseRunHost, onAction: () => void) {
    this.board = board;
    this.#onAction = onAction;
    this.#play = play;
    this.#host = host;
    this.#turns = new CaseTurns(play.policy);
    this.#answeredBefore = play.policy.replies ?? 0;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const { signal } = play;
    const onAbort = () => void this.#breakOff(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
    this.#over.signal.addEventListener("abort", () => signal.removeEventListener("abort", onAbort), {
      once: true,
    });
  }

  /** How many actions there were for it. */
  get answered(): number {
    return this.#answeredBefore + this.#turns.answered;
  }

  get caseId(): number | undefined {
    return this.#play.spec.id;
  }

  /** Whether its simulator may come back: one that said good-bye does not, and tells its score at most. */
  get isApart(): boolean {
    return this.#state === "apart" && !this.#isDone;
  }

  /** Goes on over this connection, the first or another one. */
  attach(connection: SimulatorConnection): void {
    this.#move("connected");
    this.#stopWait();
    this.#connection = connection;
    const { spec, policy } = this.#play;
    const board = spec.board ?? this.board;
    const told = { board, payload: this.#host.findPayload(board) };
    const isTold = connection.dialect === "openpi";
    connection.begin(this, isTold ? packMetadata(spec, policy.sessionId, told) : undefined);
  }

  /** The first score stays. It ends the case when the simulator has left, or leaves, or has gone quiet. */
  score(score: CaseScore): ScoreOutcome {
    if (this.#score !== undefined) return this.#score.score === score.score ? "same" : "kept";
    if (this.#state === "ended") return "over";
    this.#score = score;
    if (this.#state === "apart") this.#conclude();
    else if (!this.#connection?.isAsking) this.#startWait();
    return "taken";
  }

  /** Ends the case before its end; what was scored by then counts. */
  fail(error: SortieError, code: number = policyCloseCodes.broken_off) {
    if (this.#state === "ended") return;
    if (this.#score !== undefined && this.answered > 0) return this.#conclude();
    this.#end(code, error.message);
    this.#reject(error);
  }

  /** Ends the case because the gateway ends. */
  stop(reason: string): void {
    const session = this.#play.policy.sessionId;
    this.fail(new SortieError("session_ended", { session, reason }), policyCloseCodes.stopping);
  }

  takeObservation(observation: Uint8Array): void {
    void this.#answer(observation);
  }

  noteDelivery(): void {
    this.#turns.settle();
  }

  loseConnection(end: ConnectionEnd) {
    this.#connection = undefined;
    if (end.by === "fault") return this.#endByFault(end.reason);
    if (this.#score !== undefined || this.answered === 0) return this.#conclude(end);
    this.#turns.interrupt();
    this.#move("apart");
    this.#startWait();
    if (!isCleanEnd(end)) return;
    this.#isDone = true;
    this.#play.policy.release?.();
  }

  async #answer(observation: Uint8Array) {
    const connection = this.#connection;
    this.#stopWait();
    try {
      const action = await this.#turns.take(observation);
      if (connection !== this.#connection) return; // it left meanwhile: the action is kept for its return
      connection?.answer(action);
      this.#onAction();
      if (this.#score !== undefined) this.#startWait();
    } catch (thrown) {
      if (connection !== this.#connection) return;
      const isTooBig = thrown instanceof SortieError && thrown.code === "observation_too_big";
      this.fail(toSortieError(thrown), isTooBig ? policyCloseCodes.too_big : undefined);
    }
  }

  /** Over an abort. The loss of the agent is no loss to a simulator that has left and may still tell its score. */
  async #breakOff(reason: unknown) {
    const isLost = reason instanceof SortieError && reason.code === "session_lost";
    if (isLost && this.#state === "apart") return;
    // What the policy rejects with says more than an abort without a reason, and comes right after it.
    await waitForOthers();
    this.fail(this.#makeBreakOff(reason));
  }

  #makeBreakOff(reason: unknown): SortieError {
    if (reason instanceof SortieError) return reason;
    const isNamed = reason instanceof Error && reason.name !== "AbortError";
    return new SortieError("session_ended", {
      session: this.#play.policy.sessionId,
      reason: isNamed ? describeFault(reason) : "the case was broken off",
    });
  }

  #endByFault(reason: string) {
    this.#end();
    this.#reject(new SortieError("simulator_fault", { case: this.#name, reason }));
  }

  /** Ends the case as it stands. */
  #conclude({ code, reason }: Pick<ConnectionEnd, "code" | "reason"> = QUIET) {
    if (this.#state === "ended") return;
    this.#end();
    const { answered } = this;
    if (answered === 0) {
      const why = reason === "" ? `close code ${code}` : reason;
      return this.#reject(new SortieError("simulator_left", { case: this.#name, reason: why }));
    }
    const { score = null, steps = answered, detail = this.#describeMissing() } = this.#score ?? {};
    this.#resolve({ score, steps, detail });
  }

  #describeMissing(): string | undefined {
    const seconds = this.#host.scoreWaitMs / 1000;
    return this.#score === undefined
      ? `unscored: no score came within ${seconds} s after the simulator left`
      : undefined;
  }

  get #name(): string {
    const { id, task, index } = this.#play.spec;
    return id === undefined ? `${task} ${index}` : String(id);
  }

  #startWait() {
    this.#stopWait();
    const wait = new AbortController();
    this.#wait = wait;
    void this.#host.clock.sleep(this.#host.scoreWaitMs, wait.signal).then(() => {
      if (!wait.signal.aborted) this.#conclude();
    });
  }

  #stopWait() {
    this.#wait?.abort();
    this.#wait = undefined;
  }

  #end(code: number = policyCloseCodes.done, says = "the case is over") {
    this.#move("ended");
    this.#stopWait();
    this.#over.abort();
    this.#connection?.close(code, says);
    this.#connection = undefined;
  }

  #move(to: State) {
    if (moves[this.#state].includes(to)) this.#state = to;
  }
}
