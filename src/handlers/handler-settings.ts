import { randomUUID } from "node:crypto";
import { type Clock, systemClock } from "../base/clock.ts";
import { makeHandlerEnvironment } from "./handler-environment.ts";
import type { HandlerOptions } from "./handler-options.ts";

/** The options of a handler, and the defaults of those that were left out. */
export interface HandlerSettings extends HandlerOptions {
  readonly python: string;
  readonly outputFd: number;
  readonly loadTimeoutMs: number;
  readonly clock: Clock;
  readonly onLog: (line: string) => void;
  /** `NAME=VALUE`, in the environment of this handler alone: whatever it starts is found by it. */
  readonly mark: string;
}

const MARK_NAME = "SORTIE_HANDLER_MARK";
const LOAD_TIMEOUT_MS = 30 * 60 * 1000;

/** Python processes that a handler starts print at once too: one that is ended early loses no line. */
const UNBUFFERED = { PYTHONUNBUFFERED: "1" };

/** `env` becomes the handler's own. */
export function makeSettings(options: HandlerOptions): HandlerSettings {
  const id = randomUUID();
  return {
    ...options,
    env: { ...makeHandlerEnvironment(options.env, options.gpu), ...UNBUFFERED, [MARK_NAME]: id },
    python: options.python ?? "python3",
    outputFd: options.outputFd ?? 2,
    loadTimeoutMs: options.loadTimeoutMs ?? LOAD_TIMEOUT_MS,
    clock: options.clock ?? systemClock,
    onLog: options.onLog ?? (() => undefined),
    mark: `${MARK_NAME}=${id}`,
  };
}
