import { Worker } from "node:worker_threads";
import { SortieError } from "../../base/error.ts";
import type { PairEnd } from "./simulator-pair.ts";
import program from "./worker-program.ts?program";

export interface ThreadOptions {
  /** What the program finds as `workerData`, beside `home`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Of JavaScript values; pictures lie beside it. Default: 256. */
  readonly memoryMiB?: number;
  /** CommonJS, run instead of the simulators. */
  readonly programText?: string;
}

/** A worker thread that serves cases, until it is stopped or dies. */
export interface SimulatorThread {
  readonly port: PairEnd;
  /** Aborts with SortieError `simulator_died` when the thread ends without being stopped. */
  readonly died: AbortSignal;
  /** Ends the thread, whatever it is doing; resolves when it has left. */
  stop(): Promise<void>;
}

export function startSimulatorThread({ data, memoryMiB = 256, programText }: ThreadOptions): SimulatorThread {
  const died = new AbortController();
  let isStopped = false;
  const worker = new Worker(programText ?? program.text, {
    eval: true,
    workerData: { ...data, home: program.home },
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
    env: {},
    argv: [],
    execArgv: [],
  });
  const die = (reason: string) => {
    if (!isStopped) died.abort(new SortieError("simulator_died", { reason }));
  };
  worker.on("error", (fault: unknown) => die(describeEnd(fault)));
  worker.on("messageerror", () => die("it sent what cannot be read"));
  worker.on("exit", (code) => die(`its thread ended with exit code ${code}`));
  return {
    port: worker,
    died: died.signal,
    stop: async () => {
      isStopped = true;
      await worker.terminate();
    },
  };
}

function describeEnd(fault: unknown): string {
  return fault instanceof Error ? `${fault.name}: ${fault.message}` : String(fault);
}
