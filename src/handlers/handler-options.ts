import type { Clock } from "../base/clock.ts";
import type { SortieError } from "../base/error.ts";
import type { FrameHandler } from "../wire/handler.ts";
import type { Environment } from "./handler-environment.ts";

/** A JavaScript handler runs in a thread of this process, a Python handler in a process of its own: see `StartedHandler`. */
export interface HandlerOptions {
  /** As the user wrote it; see `parseHandlerSpec`. */
  readonly spec: string;
  /** The user's working folder: relative paths start here, and it stays the handler's. */
  readonly cwd: string;
  /** The whole environment of the caller; the agent's own secrets do not reach the handler. */
  readonly env: Environment;
  /** The interpreter, a path or a name on PATH. Default: `python3`. */
  readonly python?: string;
  /** The UUID or index of the GPU that the handler may see, `cpu` for none. Default: as the environment says. */
  readonly gpu?: string;
  /** Where the handler's stdout and stderr go, a descriptor of this process. Default: 2. */
  readonly outputFd?: number;
  /** How long the import may take, and `load` once more. Default: half an hour. */
  readonly loadTimeoutMs?: number;
  /** Calls off the start; it then rejects with `handler_stopped`. Without effect once the handler is there. */
  readonly signal?: AbortSignal;
  /** Warnings about the handler, as a `load` that is not called; lines fit to be printed. */
  readonly onLog?: (line: string) => void;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Its end, asked for or not, takes along what the handler started. A Python process ends with its process group; on Linux
 * so does whatever has the handler's mark (`SORTIE_HANDLER_MARK`) in its environment, in another group too, and at a stop
 * what is a child of the JavaScript thread. A crash in native code ends a Python process alone; in a JavaScript handler,
 * which is a thread of this process, it ends this process, without a word and without a stop.
 */
export interface StartedHandler extends FrameHandler {
  readonly died: Promise<SortieError>;
  readonly about: HandlerFacts;
}

export interface HandlerFacts {
  readonly language: "python" | "javascript";
  /** The program behind it, and its version: `/usr/bin/python3`, `3.11.2`. */
  readonly program: string;
  readonly version: string;
  /** What it offers beside `handle`. */
  readonly offers: readonly ("load" | "open" | "close")[];
}
