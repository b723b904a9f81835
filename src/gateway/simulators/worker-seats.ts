import { SortieError } from "../../base/error.ts";
import type { BoardConfig } from "../config/gateway-config.ts";
import type { Seat } from "../seat.ts";
import type { CaseResult, CaseSpec, Policy } from "../simulator.ts";
import { isBuiltIn } from "./board-simulators.ts";
import { playOver } from "./simulator-pair.ts";
import { type SimulatorThread, startSimulatorThread, type ThreadOptions } from "./simulator-thread.ts";

export interface WorkerSeats {
  /** None where no board has a simulator that is built in. */
  readonly seats: readonly Seat[];
  /** Ends every thread; cases that are being played reject with SortieError `simulator_died`. */
  close(): Promise<void>;
}

/**
 * Seats in worker threads for the boards whose simulators are built in, so that drawing and encoding never hold up the
 * gateway. A thread is started by the first case of its seat and stays for the next ones. A case rejects as its policy
 * does, with the reason of its signal within milliseconds of the abort, whatever the simulator is doing, and with
 * SortieError `policy_failed`, `simulator_failed` or `simulator_died`. The two last ones go to `onFault` too.
 */
export function openWorkerSeats(
  boards: readonly BoardConfig[],
  workers: number,
  onFault: (fault: SortieError) => void,
  options: Omit<ThreadOptions, "data"> = {},
): WorkerSeats {
  const own = boards.filter(isBuiltIn);
  const count = own.length === 0 ? 0 : workers;
  const start = () => startSimulatorThread({ ...options, data: { boards: own } });
  const seats = Array.from({ length: count }, () => new WorkerSeat(own, start, onFault));
  return {
    seats,
    close: async () => {
      await Promise.all(seats.map((seat) => seat.close()));
    },
  };
}

class WorkerSeat implements Seat {
  readonly boards: readonly string[];
  readonly #start: () => SimulatorThread;
  readonly #onFault: (fault: SortieError) => void;
  readonly #closed = new AbortController();
  #thread: SimulatorThread | undefined;
  /** Resolves when the thread before has left: a seat has one at a time. */
  #left: Promise<void> = Promise.resolve();

  constructor(
    boards: readonly BoardConfig[],
    start: () => SimulatorThread,
    onFault: (fault: SortieError) => void,
  ) {
    this.boards = boards.map(({ name }) => name);
    this.#start = start;
    this.#onFault = onFault;
  }

  readonly play = async (policy: Policy, spec: CaseSpec, signal: AbortSignal): Promise<CaseResult> => {
    await this.#left;
    this.#closed.signal.throwIfAborted();
    this.#thread ??= this.#startThread();
    const thread = this.#thread;
    try {
      const ending = await playOver(thread.port, policy, spec, [signal, this.#closed.signal, thread.died]);
      if ("result" in ending) return ending.result;
      throw ending.fault;
    } catch (thrown) {
      const code = thrown instanceof SortieError ? thrown.code : undefined;
      if (code === "simulator_failed") this.#onFault(thrown as SortieError);
      // Whatever else ended the case, the thread may still be at it.
      if (code !== "policy_failed") this.#drop(thread);
      throw thrown;
    }
  };

  async close(): Promise<void> {
    this.#closed.abort(new SortieError("simulator_died", { reason: "the gateway is stopping" }));
    if (this.#thread !== undefined) this.#drop(this.#thread);
    await this.#left;
  }

  #startThread(): SimulatorThread {
    const thread = this.#start();
    const dieWith = () => {
      this.#onFault(thread.died.reason);
      this.#drop(thread);
    };
    thread.died.addEventListener("abort", dieWith, { once: true });
    return thread;
  }

  #drop(thread: SimulatorThread) {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#left = thread.stop();
  }
}
