import type { Io } from "./io.ts";

/** The wish of a signal that a long command ends. */
export interface EndWish {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal;
  /** The exit code that goes with the first signal; null while there was none. */
  readonly exitCode: () => number | null;
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 } as const;
/** A loop passes on as TERM the Ctrl-C that its whole group has had: both are one wish. */
const SAME_WISH_MS = 300;
const LONGEST_END_MS = 3_000;
/** What one timer can hold. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Listens for INT, TERM and HUP. At a second one, or when the end takes too long, the process ends at once; what it
 * started ends with it. Under `nohup`, which the doors tell of, a hang-up is no wish.
 */
export function listenForEnd(
  { env }: Pick<Io, "env">,
  { longestMs = LONGEST_END_MS }: { readonly longestMs?: number } = {},
): EndWish {
  const controller = new AbortController();
  let exitCode: number | null = null;
  let firstMs = 0;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (name === "SIGHUP" && env["SORTIE_HANGUP"] === "ignore") return;
      if (exitCode !== null) {
        if (performance.now() - firstMs > SAME_WISH_MS) process.exit(exitCode);
        return;
      }
      const code = EXIT_CODES[name];
      exitCode = code;
      firstMs = performance.now();
      setTimeout(() => process.exit(code), Math.min(longestMs, LONGEST_TIMER_MS)).unref();
      controller.abort(name);
    });
  }
  return { signal: controller.signal, exitCode: () => exitCode };
}
