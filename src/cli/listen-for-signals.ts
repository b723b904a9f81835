export interface SignalListener {
  /**
   * Aborts at the next INT or TERM, whose name is its reason; at once where one came that no earlier call has answered
   * for.
   */
  next(): AbortSignal;
  /** Calls back at once when one comes, while the work runs; the next `next` still answers for it. */
  during<Result>(work: Promise<Result>, tell: () => void): Promise<Result>;
  end(): void;
}

type Wish = "SIGINT" | "SIGTERM";

/** Whatever passes on a Ctrl-C that the whole group has had already means the same one. */
const SAME_WISH_MS = 300;

/** Listens for INT and TERM for as long as something must be done before the process ends. */
export function listenForSignals(): SignalListener {
  let controller = new AbortController();
  let waiting: Wish | null = null;
  let interruptedMs = Number.NEGATIVE_INFINITY;
  let isAwaited = false;
  let tellNow: (() => void) | null = null;
  const receive = (name: NodeJS.Signals) => {
    if (name === "SIGINT") {
      const isSame = performance.now() - interruptedMs < SAME_WISH_MS;
      interruptedMs = performance.now();
      if (isSame) return;
    }
    tellNow?.();
    if (isAwaited) controller.abort(name);
    else waiting = name as Wish;
    isAwaited = false;
  };
  process.on("SIGINT", receive);
  process.on("SIGTERM", receive);
  return {
    next() {
      if (controller.signal.aborted) controller = new AbortController();
      isAwaited = waiting === null;
      if (waiting !== null) controller.abort(waiting);
      waiting = null;
      return controller.signal;
    },
    async during(work, tell) {
      tellNow = tell;
      return work.finally(() => {
        tellNow = null;
      });
    },
    end() {
      process.off("SIGINT", receive);
      process.off("SIGTERM", receive);
    },
  };
}
