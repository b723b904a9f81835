import { type Clock, systemClock } from "../../base/clock.ts";
import type { StartedHandler } from "../../handlers/handler-options.ts";
import { parseHandlerSpec } from "../../handlers/handler-spec.ts";
import { startHandler } from "../../handlers/start-handler.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import { chooseInterpreter } from "../agent/choose-interpreter.ts";
import { takeGpu } from "../agent/take-gpu.ts";
import type { Environment } from "../desk.ts";
import { type ReadFiles, readEach } from "./read-each.ts";
import { replaySession, type SessionReplay } from "./replay-session.ts";

export interface ReplayOptions {
  /** Paths; see `listRecordings`. */
  readonly files: readonly string[];
  /** As for an agent. */
  readonly handler: string;
  readonly python?: string;
  /** An index or UUID of this machine's, or `cpu`. Default: one that is free, where there are any. */
  readonly gpu?: string;
  /** How far apart two numbers of equal actions may be. */
  readonly tolerance: number;
  /** How long one call of the handler may take. */
  readonly timeoutMs: number;
  readonly loadTimeoutMs?: number;
  readonly env: Environment;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Lines about the handler. */
  readonly onLog: (text: string) => void;
  readonly clock?: Clock;
}

/** How long a handler may take to end by itself. */
const CALM_EXIT_MS = 10_000;

/**
 * Plays recordings to one handler, one session after another, as an agent would. Nothing that it started outlives it.
 * @throws SortieError of everything before the first session, and `interrupted`
 */
export async function replayRecordings(options: ReplayOptions): Promise<ReadFiles<SessionReplay>> {
  const { env, cwd, signal, onLog } = options;
  const runner = makeLocalRunner();
  const { language } = parseHandlerSpec(options.handler, cwd);
  const interpreter =
    language === "python" ? await chooseInterpreter(options.python, { env, cwd, runner, signal }) : null;
  const gpu = await takeGpu(options.gpu, { env, cwd, runner, holder: "replay", signal, onWarn: onLog });
  try {
    const handler = await startHandler({
      ...{ spec: options.handler, cwd, env: interpreter?.env ?? env, python: interpreter?.program },
      ...{ gpu: gpu.pinned, loadTimeoutMs: options.loadTimeoutMs, signal, onLog },
    });
    return await playAll(handler, options);
  } finally {
    await gpu.release();
  }
}

async function playAll(
  handler: StartedHandler,
  { files, signal, clock = systemClock, tolerance, timeoutMs }: ReplayOptions,
): Promise<ReadFiles<SessionReplay>> {
  const stop = () => void handler.stop();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const terms = { tolerance, timeoutMs, clock, signal };
  let patienceMs: number | undefined = CALM_EXIT_MS;
  try {
    await handler.load();
    const played = await readEach(
      files,
      (file) => replaySession(file, handler, terms),
      ({ isLast }) => isLast,
    );
    if (played.results.at(-1)?.isLast) patienceMs = undefined;
    return played;
  } finally {
    signal.removeEventListener("abort", stop);
    await handler.stop(signal.aborted ? undefined : patienceMs);
  }
}
