const SIGNALS = ["SIGINT", "SIGTERM"] as const;
/** What a host may take to end what is called off. */
const LONGEST_END_MS = 20_000;
/** Whatever passes on a Ctrl-C that the whole group has had already means the same one. */
const SAME_WISH_MS = 300;

export interface ReadyingSignals {
  /** Aborts at the first INT or TERM. */
  readonly signal: AbortSignal;
  /** Listens from now on; before that a signal ends the process, as ever. */
  begin(): void;
  /** Where one came too late to call anything off, the process ends by it, as it would have then. */
  answer(): void;
  end(): void;
}

/**
 * Listens for INT and TERM while an environment is made ready for a run, which may take hours: what was begun is called off
 * on its host. At a second one, or where that takes too long, the process ends at once.
 */
export function listenWhileReadying(): ReadyingSignals {
  const controller = new AbortController();
  let isListening = false;
  let timer: NodeJS.Timeout | null = null;
  let first: NodeJS.Signals | null = null;
  let firstMs = 0;
  const receive = (name: NodeJS.Signals) => {
    if (first !== null) return performance.now() - firstMs > SAME_WISH_MS ? endBy(name) : undefined;
    first = name;
    firstMs = performance.now();
    timer = setTimeout(() => endBy(name), LONGEST_END_MS);
    controller.abort(name);
  };
  const end = () => {
    if (timer !== null) clearTimeout(timer);
    for (const name of SIGNALS) process.off(name, receive);
    isListening = false;
  };
  const endBy = (name: NodeJS.Signals) => {
    end();
    process.kill(process.pid, name);
  };
  const begin = () => {
    if (isListening || first !== null) return;
    for (const name of SIGNALS) process.on(name, receive);
    isListening = true;
  };
  const answer = () => {
    if (first !== null) endBy(first);
  };
  return { signal: controller.signal, begin, answer, end };
}
