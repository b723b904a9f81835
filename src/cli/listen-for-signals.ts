export interface SignalListener {
  /** Aborts at the next INT or TERM, whose name is its reason. What comes between two calls counts for the second. */
  next(): AbortSignal;
  end(): void;
}

type Wish = "SIGINT" | "SIGTERM";

/** Whatever passes on a Ctrl-C that the whole group has had already means the same one. */
const SAME_WISH_MS = 300;

/** Listens for INT and TERM for as long as something must be done before the process ends. */
export function listenForSignals(): SignalListener {
  let controller = new AbortController();
  let missed: Wish | null = null;
  let interruptedMs = Number.NEGATIVE_INFINITY;
  const receive = (name: NodeJS.Signals) => {
    if (name === "SIGINT") {
      const isSame = performance.now() - interruptedMs < SAME_WISH_MS;
      interruptedMs = performance.now();
      if (isSame) return;
    }
    if (controller.signal.aborted) missed = name as Wish;
    else controller.abort(name);
  };
  process.on("SIGINT", receive);
  process.on("SIGTERM", receive);
  return {
    next() {
      if (!controller.signal.aborted) return controller.signal;
      controller = new AbortController();
      if (missed !== null) controller.abort(missed);
      missed = null;
      return controller.signal;
    },
    end() {
      process.off("SIGINT", receive);
      process.off("SIGTERM", receive);
    },
  };
}
