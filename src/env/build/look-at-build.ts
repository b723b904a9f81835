import type { Clock } from "../../base/clock.ts";
import { SortieError } from "../../base/error.ts";
import { makeToken } from "../../base/ids.ts";
import { readAnswer } from "../../base/script.ts";
import type { EnvHost } from "../env-host.ts";
import { type BuildRequest, type LookSettings, makeLookScript, makeStopScript } from "./build-script.ts";
import { type Look, readLook } from "./read-look.ts";

/** A look takes seconds; a host under load may need longer. */
const TIMEOUT_MS = 90_000;
/** A connection that breaks is tried again after so long; the build goes on meanwhile. */
const PATIENCE_MS = [500, 1000, 2000, 4000, 8000, 15_000];

interface LookOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Looks at a build once, and again where no answer came. null: the signal has aborted.
 * @throws environment_silent, and what keeps the host from answering
 */
export async function lookAtBuild(
  host: EnvHost,
  request: BuildRequest,
  settings: Omit<LookSettings, "token">,
  { clock, signal }: LookOptions,
): Promise<Look | null> {
  for (let failures = 0; ; failures++) {
    if (signal?.aborted) return null;
    // What may start a builder comes to its end: whoever calls it off must know whether there is one.
    const cut = settings.build === null ? undefined : signal;
    const seen = await lookOnce(host, request, settings, cut);
    if (!(seen instanceof SortieError)) return seen;
    if (signal?.aborted) return null;
    const waitMs = PATIENCE_MS[failures];
    if (waitMs === undefined || !seen.retryable) throw seen;
    await clock.sleep(waitMs, signal);
  }
}

/** Ends the build that was started with this word, if it is still at work. */
export async function stopBuild(host: EnvHost, request: BuildRequest, word: string): Promise<void> {
  const token = makeToken();
  const outcome = await host.runScript(makeStopScript(request, { token, word }), { timeoutMs: TIMEOUT_MS });
  const answer = readAnswer(outcome.stdout, token);
  if (answer === null) throw makeSilence(host, outcome.stderr);
}

async function lookOnce(
  host: EnvHost,
  request: BuildRequest,
  settings: Omit<LookSettings, "token">,
  signal: AbortSignal | undefined,
): Promise<Look | SortieError> {
  const token = makeToken();
  const chunks: Buffer[] = [];
  try {
    const outcome = await host.runScript(makeLookScript(request, { ...settings, token }), {
      timeoutMs: TIMEOUT_MS,
      signal,
      onStdout: (chunk) => chunks.push(chunk),
    });
    return readLook(Buffer.concat(chunks), token) ?? makeSilence(host, outcome.stderr);
  } catch (fault) {
    if (fault instanceof SortieError) return fault;
    throw fault;
  }
}

function makeSilence(host: EnvHost, stderr: string): SortieError {
  const reason = stderr.trim().split("\n").at(-1) || "it ended in between";
  return new SortieError("environment_silent", { host: host.name, reason });
}
