import { SortieError } from "../base/error.ts";
import { killMarked } from "../process/kill-processes.ts";
import type { HandlerFacts, StartedHandler } from "./handler-options.ts";
import type { HandlerSettings } from "./handler-settings.ts";
import { waitWithin } from "./wait-within.ts";
import type { HandlerCall } from "./worker-fault.ts";

/** A process or a thread that has begun to import the user's code. */
export interface HandlerWorker {
  /** Resolves when it ended without being asked to. */
  readonly died: Promise<SortieError>;
  /** To be called once, at first. Rejects with what is wrong with the user's code, or with the worker's end. */
  waitForImport(): Promise<HandlerFacts>;
  /** Rejects with `handler_fault` where this call failed, else with the worker's end. */
  call(type: HandlerCall, sid?: Uint8Array, payload?: Uint8Array): Promise<Uint8Array>;
  /** Resolves when it is gone; an open call rejects. Never rejects. */
  stop(patienceMs?: number): Promise<void>;
}

/** Makes a handler of a worker; resolves when the user's code is imported. Where it rejects, nothing is left running. */
export async function startWith(worker: HandlerWorker, settings: HandlerSettings): Promise<StartedHandler> {
  const { signal, mark, clock } = settings;
  const died = worker.died.then(async (error) => {
    await killMarked(mark, clock);
    return error;
  });
  const stop = async (patienceMs?: number) => {
    await worker.stop(patienceMs);
    await killMarked(mark, clock);
  };
  const callOff = () => void worker.stop();
  if (signal?.aborted) callOff();
  signal?.addEventListener("abort", callOff, { once: true });
  try {
    const about = await waitWithin(worker.waitForImport(), "imported", settings);
    return { ...makeCalls(worker, about, settings), about, died, stop };
  } catch (error) {
    await stop();
    throw signal?.aborted ? new SortieError("handler_stopped") : error;
  } finally {
    signal?.removeEventListener("abort", callOff);
  }
}

function makeCalls({ call }: HandlerWorker, { offers }: HandlerFacts, settings: HandlerSettings) {
  return {
    load: async () => void (await waitWithin(call("load"), "loaded", settings)),
    open: async (sid: Uint8Array) => void (offers.includes("open") && (await call("open", sid))),
    close: async (sid: Uint8Array) => void (offers.includes("close") && (await call("close", sid))),
    handle: (sid: Uint8Array, payload: Uint8Array) => call("handle", sid, payload),
  };
}
