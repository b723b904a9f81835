import { SortieError } from "../base/error.ts";
import { makeToken } from "../base/ids.ts";
import type { Outcome, Runner } from "../process/runner.ts";
import type { GpuReport } from "./gpu-report.ts";
import { makeGpuProbe } from "./make-probe.ts";
import { PROBE_SECONDS, parseGpuReport } from "./parse-report.ts";

/** What the host may take beyond the time of nvidia-smi itself: a slow connection, a slow list of users. */
const MARGIN_MS = 20_000;

export interface LoadGpuOptions {
  /** A GPU is free only below this (default 500). */
  readonly freeMemoryMiB?: number;
  /** How long nvidia-smi may take (default 15). */
  readonly seconds?: number;
  /** The Python of the run, asked on macOS for MPS (default `python3`). */
  readonly python?: readonly string[] | null;
  readonly leaseFolder?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/**
 * Asks a host about its GPUs, in one command.
 * @throws SortieError `gpus_unasked` when the host gives no answer at all; all other faults are in the report.
 */
export async function loadGpuReport(runner: Runner, options: LoadGpuOptions = {}): Promise<GpuReport> {
  const { seconds = PROBE_SECONDS, freeMemoryMiB, python, leaseFolder, env, signal } = options;
  const token = makeToken();
  const outcome = await runner.run(["sh", "-s"], {
    stdin: makeGpuProbe({ token, seconds, python, leaseFolder }),
    timeoutMs: seconds * 1000 + MARGIN_MS,
    env,
    signal,
  });
  const report = parseGpuReport(outcome.stdout, { token, seconds, freeMemoryMiB });
  if (report) return report;
  throw new SortieError("gpus_unasked", { host: runner.host, reason: describeSilence(outcome) });
}

function describeSilence(outcome: Outcome): string {
  const lastLine = outcome.stderr.trim().split("\n").at(-1);
  if (outcome.timedOut) return "it did not answer in time";
  return lastLine || `the shell there ended with ${outcome.signal ?? `code ${outcome.exitCode}`}`;
}
