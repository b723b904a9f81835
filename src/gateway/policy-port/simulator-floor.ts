import { SortieError } from "../../base/error.ts";
import type { CaseScore, ScoreOutcome } from "../api/api-host.ts";
import type { Seat } from "../seat.ts";
import type { CaseHolders, DescribedCase } from "./admit-simulator.ts";
import { type CasePlay, CaseRun, type CaseRunHost } from "./case-run.ts";
import { policyCloseCodes } from "./close-codes.ts";
import { CrashPauses } from "./crash-pauses.ts";
import type { PolicyTimers, SimulatorConnection } from "./simulator-connection.ts";

export interface FloorHost extends CaseRunHost {
  describeCase(id: number): DescribedCase | undefined;
  offerSeat(seat: Seat): void;
  withdrawSeat(seat: Seat): void;
}

const STOPPING = "the gateway is stopping";

/** Who waits for a case and who plays one, of all simulators that were let in. */
export class SimulatorFloor implements CaseHolders {
  readonly #host: FloorHost;
  readonly #timers: PolicyTimers;
  readonly #connections = new Set<SimulatorConnection>();
  readonly #seats = new Map<SimulatorConnection, Seat>();
  /** Those that wait until their board may have a seat again, the oldest first. */
  readonly #held = new Set<Seat>();
  readonly #runs = new Set<CaseRun>();
  readonly #pauses: CrashPauses;

  constructor(host: FloorHost, timers: PolicyTimers) {
    this.#host = host;
    this.#timers = timers;
    this.#pauses = new CrashPauses(host.clock);
  }

  findRun(caseId: number): CaseRun | undefined {
    for (const run of this.#runs) if (run.caseId === caseId) return run;
    return undefined;
  }

  isAwaited(caseId: number): boolean {
    return [...this.#seats.values()].some((seat) => seat.caseId === caseId);
  }

  /** Lets a simulator go on with its case, or wait for one. */
  enter(connection: SimulatorConnection, board: string, caseId?: number, run?: CaseRun) {
    this.#connections.add(connection);
    if (run !== undefined) return run.attach(connection);
    const seat: Seat = {
      boards: [board],
      caseId,
      once: true,
      play: (policy, spec, signal) => this.#begin(connection, board, { policy, spec, signal }),
    };
    this.#seats.set(connection, seat);
    if (this.#pauses.isPaused(board)) this.#held.add(seat);
    else this.#host.offerSeat(seat);
  }

  /** A connection has ended: it waits for no case any more. */
  leave(connection: SimulatorConnection): void {
    this.#connections.delete(connection);
    const seat = this.#seats.get(connection);
    if (seat === undefined) return;
    this.#seats.delete(connection);
    if (!this.#held.delete(seat)) this.#host.withdrawSeat(seat);
  }

  score(caseId: number, score: CaseScore): ScoreOutcome {
    const run = this.findRun(caseId);
    if (run !== undefined) return run.score(score);
    return this.#host.describeCase(caseId)?.state === "waiting" ? "too_early" : "over";
  }

  /** Looks after every connection; one whose case will never come is closed. */
  sweep(elapsedMs: number): void {
    for (const connection of this.#connections) connection.sweep(elapsedMs, this.#timers);
    for (const seat of this.#held)
      if (seat.boards.every((board) => this.#pauses.takeTurn(board))) this.#offer(seat);
    for (const [connection, { caseId }] of this.#seats) {
      if (caseId === undefined) continue;
      const { state = "over" } = this.#host.describeCase(caseId) ?? {};
      if (state === "over") connection.close(policyCloseCodes.broken_off, `case ${caseId} is over`);
    }
  }

  stop(): void {
    for (const run of this.#runs) run.stop(STOPPING);
    for (const connection of this.#connections) connection.close(policyCloseCodes.stopping, STOPPING);
  }

  async #begin(connection: SimulatorConnection, board: string, play: CasePlay) {
    this.#seats.delete(connection);
    const run = new CaseRun(play, board, this.#host, () => this.#noteAction(board));
    this.#runs.add(run);
    run.attach(connection);
    try {
      return await run.result;
    } catch (fault) {
      if (run.answered === 0 && isOfSimulator(fault)) this.#noteCrash(board);
      throw fault;
    } finally {
      this.#runs.delete(run);
    }
  }

  #noteAction(board: string) {
    if (!this.#pauses.noteAction(board)) return;
    for (const seat of this.#held) if (seat.boards.includes(board)) this.#offer(seat);
  }

  /** A board that pauses takes back what it had offered: many may crash at a time. */
  #noteCrash(board: string) {
    this.#pauses.noteCrash(board);
    if (!this.#pauses.isPaused(board)) return;
    for (const seat of this.#seats.values()) {
      if (this.#held.has(seat) || !seat.boards.includes(board)) continue;
      this.#held.add(seat);
      this.#host.withdrawSeat(seat);
    }
  }

  #offer(seat: Seat) {
    this.#held.delete(seat);
    this.#host.offerSeat(seat);
  }
}

/** Whether the simulator itself ended the case, and not the agent or the gateway. */
function isOfSimulator(fault: unknown): boolean {
  return (
    fault instanceof SortieError && (fault.code === "simulator_left" || fault.code === "simulator_fault")
  );
}
