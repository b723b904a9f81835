import type { Clock } from "../../../base/clock.ts";
import { SortieError } from "../../../base/error.ts";
import { exchange, type Request } from "./exchange.ts";
import { judgeReply } from "./judge-reply.ts";
import type { VastTimers } from "./vast-timers.ts";

/** What is asked of the vendor. */
export interface Call {
  /** For people: `show instance 5`. */
  readonly call: string;
  readonly method: Request["method"];
  /** With the query: `/api/v0/instances/5/?owner=me`. */
  readonly path: string;
  readonly body?: unknown;
}

/** Sends calls with the account's key, and gives the reply's JSON. */
export interface Caller {
  /** For what reads, and for what does no harm if it is done twice. */
  ask(call: Call): Promise<unknown>;
  askOnce(call: Call): Promise<unknown>;
}

interface CallerOptions {
  readonly key: string;
  readonly url: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  readonly timers: VastTimers;
}

export function makeCaller(options: CallerOptions): Caller {
  const { key, url, signal, timers } = options;
  const send = async ({ path, ...call }: Call, timeoutMs: number) => {
    if (signal?.aborted) throw new SortieError("interrupted");
    const request = { ...call, url: `${url}${path}`, key, timeoutMs, ...(signal && { signal }) };
    return judgeReply(await exchange(request), call.call, key);
  };
  return {
    ask: (call) => retry(() => send(call, timers.requestMs), options),
    askOnce: (call) => send(call, timers.createMs),
  };
}

/** Again after `vast_away`, with growing pauses, until the time for retries is over. */
async function retry<Value>(
  ask: () => Promise<Value>,
  { clock, timers, signal }: CallerOptions,
): Promise<Value> {
  const endMs = clock.monotonicMs() + timers.retryTotalMs;
  let pauseMs = timers.retryFirstMs;
  for (;;) {
    try {
      return await ask();
    } catch (thrown) {
      const mayHelp = thrown instanceof SortieError && thrown.code === "vast_away";
      if (!mayHelp || clock.monotonicMs() + pauseMs > endMs) throw thrown;
    }
    await clock.sleep(pauseMs, signal);
    pauseMs = Math.min(2 * pauseMs, timers.retryMostMs);
  }
}
