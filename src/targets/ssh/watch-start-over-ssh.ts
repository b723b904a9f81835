import { makeToken } from "../../base/ids.ts";
import { makeGpuProbe } from "../../gpus/make-probe.ts";
import { PROBE_SECONDS, parseGpuReport } from "../../gpus/parse-report.ts";
import { makeWatchStartScript, parseObserveAnswer } from "../../runs/observe-script.ts";
import type { JobHandle, StartSight } from "../target.ts";
import type { HostRunner } from "./ask-host.ts";
import { makeHostScript } from "./host-script.ts";

const ANSWER_MS = 30_000;

export interface WatchOptions {
  readonly watchMs: number;
  readonly gpus: boolean;
  readonly freeMemoryMiB: number;
}

/** Waits on the host for the start of a run and looks at it, all in one command. A silent host is no fault of the run: it is seen later. */
export async function watchStartOverSsh(
  runner: HostRunner,
  run: JobHandle,
  { watchMs, gpus, freeMemoryMiB }: WatchOptions,
): Promise<StartSight> {
  const [token, gpuToken] = [makeToken(), makeToken()];
  const outcome = await runner.run(["sh", "-s"], {
    stdin: makeHostScript([
      makeWatchStartScript(run, { watchMs, token }),
      ...(gpus ? [makeGpuProbe({ token: gpuToken })] : []),
    ]),
    timeoutMs: watchMs + ANSWER_MS + (gpus ? PROBE_SECONDS * 1000 : 0),
  });
  return {
    answer: parseObserveAnswer(outcome.stdout, token),
    gpus: gpus ? parseGpuReport(outcome.stdout, { token: gpuToken, freeMemoryMiB }) : null,
  };
}
