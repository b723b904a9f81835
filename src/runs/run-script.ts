import { makeSettings } from "../base/script.ts";
import processFunctions from "./scripts/process.sh";
import supervisor from "./scripts/run.sh";
import supervisorEnd from "./scripts/run-end.sh";
import supervisorWatch from "./scripts/run-watch.sh";

export interface SupervisorSettings {
  readonly runId: string;
  readonly runName: string;
  readonly jobFolder: string;
  readonly resultsFolder: string;
  /** null: no limit. */
  readonly timeLimitS: number | null;
  readonly graceS: number;
  readonly sampleS: number;
  readonly lastAttempt: number;
  /** How many GPUs the run takes; `none` hides all of them, 0 leaves the environment as it is. */
  readonly gpuCount: number | "none";
  /** UUIDs that it may take, the plan's choice first. */
  readonly gpuCandidates: readonly string[];
  /** Where others have taken its GPUs: `wait` leaves nothing on record, so that it can be started again later. */
  readonly ifTaken: "end" | "wait";
  /** Where the command's environment comes from: the supervisor's own and the `env` file, or that file alone. */
  readonly environment: "inherited" | "file";
  /** `sh`, or `bash` where the activation needs it. */
  readonly jobShell: ShellName;
}

export type ShellName = "sh" | "bash";

/** The text of `run.sh`, to be run by `shell`; `leaseFunctions` are the shell functions `lease_take` and its like. */
export function makeRunScript(
  settings: SupervisorSettings,
  shell: ShellName,
  leaseFunctions: string,
): string {
  const head = makeSettings({
    sortie_run_id: settings.runId,
    sortie_run_name: settings.runName,
    sortie_job_dir: settings.jobFolder,
    sortie_results_dir: settings.resultsFolder,
    sortie_time_limit_s: settings.timeLimitS === null ? "" : String(Math.ceil(settings.timeLimitS)),
    sortie_grace_s: String(Math.ceil(settings.graceS)),
    sortie_sample_s: String(settings.sampleS),
    sortie_last_attempt: String(settings.lastAttempt),
    sortie_gpu_count: String(settings.gpuCount),
    sortie_gpu_candidates: settings.gpuCandidates.join(" "),
    sortie_if_taken: settings.ifTaken,
    sortie_environment: settings.environment,
    sortie_supervisor_shell: shell,
    sortie_job_shell: settings.jobShell,
  });
  return [head, processFunctions, leaseFunctions, supervisorWatch, supervisorEnd, supervisor].join("\n");
}

/**
 * The shell that supervises. dash has one-digit descriptors only, and leases take them from 3 on; and functions that
 * bash exports (`module` of a cluster) stand under names that other shells drop on the way to the command.
 */
export function chooseSupervisorShell(
  gpuCount: number | "none",
  env: Readonly<Record<string, string | undefined>>,
): ShellName {
  const manyGpus = gpuCount !== "none" && gpuCount > 6;
  return manyGpus || Object.keys(env).some((name) => name.startsWith("BASH_FUNC_")) ? "bash" : "sh";
}
