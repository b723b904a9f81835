import type { SortieError } from "../../base/error.ts";
import { makeLocalRunner } from "../local-runner.ts";
import type { Outcome, Runner, RunOptions } from "../runner.ts";
import { type ChannelLimit, makeChannelLimit } from "./channel-limit.ts";
import { encodeCommand } from "./encode-command.ts";
import { explainSilence } from "./explain-silence.ts";
import { type RsyncRequest, runRsync } from "./rsync.ts";
import { makeSshArgv, type SshPlaces, type SshUse } from "./ssh-arguments.ts";
import { describeSshHost, type SshHost } from "./ssh-host.ts";

const DEFAULT_LIMIT = 4;
/** What a jump host is refused for is asked for once more, at most so long. */
const ASK_AGAIN_MS = 15_000;

export interface SshOptions extends SshPlaces {
  /** The whole environment of the `ssh` processes on this machine. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How many commands go at once over this runner; default 4. */
  readonly limit?: number;
  /** Calls off everything that this runner does. */
  readonly signal?: AbortSignal;
}

/**
 * Runs commands on a host by the system's OpenSSH client. `env` and `cwd` of a run's options have no meaning there and
 * are ignored: scripts set what they need. Keep one a host, since it holds the limit of commands at once.
 */
export interface SshRunner extends Runner {
  /** The command line of `ssh` for a terminal or a stream of the caller's own; it does not count for the limit. */
  sshArgv(use?: SshUse): string[];
  /** Why an outcome holds no answer, or not a whole one. */
  explain(outcome: Outcome): SortieError;
  /** Copies files between the machines. @throws sync_failed, and what `explain` gives */
  rsync(request: RsyncRequest): Promise<void>;
}

export function makeSshRunner(host: SshHost, options: SshOptions): SshRunner {
  const local = makeLocalRunner();
  const env = { ...options.env, SSH_ASKPASS_REQUIRE: "never" };
  const limit = makeChannelLimit(options.limit ?? DEFAULT_LIMIT);
  const explain = (outcome: Outcome) => explainSilence(outcome, host, options.configFile);

  const runOnHost = async (argv: readonly string[], { cwd: _, env: __, ...given }: RunOptions) => {
    const run = { ...given, signal: joinSignals(options.signal, given.signal) };
    const untilMs = performance.now() + run.timeoutMs;
    const call = (use: SshUse, more: RunOptions) =>
      local.run(makeSshArgv(host, options, use), { ...more, env });
    return takeTurn(limit, run, async (timeoutMs) => {
      const outcome = await call({ command: encodeCommand(argv) }, { ...run, timeoutMs });
      if (!isSpeechless(outcome)) return outcome;
      // The client of a shared connection is not told what its jump host says; one of its own is.
      const leftMs = Math.min(ASK_AGAIN_MS, untilMs - performance.now());
      const again = await call(
        { command: "exec true", alone: true },
        { timeoutMs: Math.max(1, leftMs), signal: run.signal },
      );
      return again.exitCode === 255 ? { ...outcome, stderr: again.stderr } : outcome;
    });
  };
  return {
    host: describeSshHost(host),
    run: runOnHost,
    sshArgv: (use = {}) => makeSshArgv(host, options, use),
    explain,
    rsync: async (request) => {
      const ssh = (command: string) => makeSshArgv(host, options, { command });
      const signal = joinSignals(options.signal, request.signal);
      await runRsync(
        { ...options, host: describeSshHost(host), local, env, explain, ssh },
        { ...request, signal },
      );
    },
  };
}

function joinSignals(one?: AbortSignal, other?: AbortSignal): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

/** The time limit of a run holds from its call on, also while it waits for its turn. */
async function takeTurn(
  limit: ChannelLimit,
  { timeoutMs, signal }: RunOptions,
  run: (leftMs: number) => Promise<Outcome>,
): Promise<Outcome> {
  const startMs = performance.now();
  const giveBack = await limit.take(timeoutMs, signal);
  if (giveBack === null) return makeUnstarted(!signal?.aborted);
  try {
    return await run(Math.max(1, timeoutMs - (performance.now() - startMs)));
  } finally {
    giveBack();
  }
}

function makeUnstarted(timedOut: boolean): Outcome {
  const why = timedOut ? "its turn did not come in time" : "it was called off before its start";
  return { ...{ exitCode: null, signal: null, stdout: "", stderr: why }, timedOut, notStarted: true };
}

/** A command to a jump host failed, and ssh has only this to say. */
function isSpeechless({ exitCode, stderr }: Outcome): boolean {
  return exitCode === 255 && /UNKNOWN port 65535/.test(stderr);
}
