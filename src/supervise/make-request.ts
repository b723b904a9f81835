import { SortieError } from "../base/error.ts";
import { escapeGlob } from "../base/globs.ts";
import { settingDefaults } from "../config/settings.ts";
import { checkResultsGlob } from "../runs/results.ts";
import type { RunRequest } from "../runs/run-record.ts";
import type { ChosenTarget } from "./choose-target.ts";

export { isExportable } from "../runs/job-script.ts";

/** What a person asks for with flags; null where the flag was not given. Times in seconds. */
export interface RunWish {
  readonly command: readonly string[];
  /** Absolute; the configuration is looked for from here. */
  readonly cwd: string;
  /** It was named for the run to start in, so that no `Code dir` of the section counts. */
  readonly isCwdGiven: boolean;
  readonly target: string | null;
  readonly name: string | null;
  readonly gpus: number | "none" | null;
  readonly gpu: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** The files that some of the variables come from, absolute. */
  readonly envFiles: readonly string[];
  readonly results: readonly string[] | null;
  readonly timeoutS: number | null;
  readonly graceS: number | null;
  readonly expectS: number | null;
  /** -1: without end. */
  readonly waitGpuS: number | null;
  /** To start in a copy of its own of the code. */
  readonly freeze: boolean;
  /** What is sent beside the code, absolute. */
  readonly copies: readonly string[];
  /** The name or file of an environment's specification; null: as configured. */
  readonly environment: string | null;
  /** To start though the environment has not shown that it works. */
  readonly unverified: boolean;
  /** How its numbers get to W&B; absent: as configured. */
  readonly wandbWay?: "script" | "forward";
}

/** The wish with everything that it leaves open filled in from the configuration, else by default. @throws results_glob_bad */
export function makeRequest(wish: RunWish, { settings }: ChosenTarget): RunRequest {
  refuseGpuVariable(wish);
  refuseWay(wish, settings);
  const results = (wish.results ?? settings.results).map((glob) => expandHome(glob, settings.resultsHome));
  for (const glob of results) checkResultsGlob(glob);
  const { silentAfterS, metricPattern } = settings;
  const cwd = (wish.isCwdGiven ? null : settings.codeDir) ?? wish.cwd;
  return {
    command: wish.command,
    cwd,
    ...(cwd === wish.cwd ? {} : { configFrom: wish.cwd }),
    target: wish.target,
    name: wish.name,
    gpus: wish.gpus ?? "default",
    gpu: wish.gpu,
    envNames: Object.keys(wish.variables),
    envFiles: wish.envFiles,
    results,
    resultsTo: settings.resultsTo,
    timeoutS: wish.timeoutS ?? settings.timeoutS,
    graceS: wish.graceS ?? settings.graceS,
    expectS: wish.expectS,
    waitGpuS: wish.waitGpuS,
    ...(metricPattern.value.length > 0 ? { metricPatterns: metricPattern.value } : {}),
    ...(silentAfterS === settingDefaults.silent_after ? {} : { silentAfterS }),
    ...(wish.freeze || settings.freeze.value ? { freeze: true } : {}),
    ...(wish.copies.length > 0 ? { copies: wish.copies } : {}),
    ...(wish.environment === null ? {} : { environment: wish.environment }),
    ...(wish.unverified ? { unverified: true } : {}),
    ...(wish.wandbWay ? { wandbWay: wish.wandbWay } : {}),
  };
}

/** A shell expands `~/` only where it is not quoted, and in no file; a home's name may hold what a pattern uses. */
function expandHome(glob: string, home: string | null): string {
  return home === null ? glob : glob.replace(/^~(?=\/|$)/, () => escapeGlob(home));
}

/** It would be overwritten by the GPUs that the run leases. */
function refuseGpuVariable({ variables }: RunWish): void {
  if (variables["CUDA_VISIBLE_DEVICES"] === undefined) return;
  throw new SortieError("value_bad", {
    what: "--env",
    value: "CUDA_VISIBLE_DEVICES",
    reason: "the run sees the GPUs that Sortie takes for it",
    advice: "Say which with --gpu INDEX, how many with --gpus N, or --gpus none.",
  });
}

function refuseWay({ wandbWay }: RunWish, { wandb }: ChosenTarget["settings"]): void {
  if (wandbWay === undefined || wandb !== null) return;
  throw new SortieError("value_bad", {
    what: "--wandb",
    value: wandbWay,
    reason: "runs of this target do not log to W&B",
    advice: "Set `wandb: true` and `wandb_project` in its section first.",
  });
}
