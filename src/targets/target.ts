import type { EnvironmentRequest } from "../env/activation.ts";
import type { CheckedEnvironment } from "../env/check-environment.ts";
import type { GpuReport } from "../gpus/parse-report.ts";
import type { LogSource } from "../runs/log-source.ts";
import type { HostAnswer } from "../runs/observe-script.ts";
import type { SupervisorSettings } from "../runs/run-script.ts";
import type { StartAnswer } from "../runs/start-script.ts";

/** Everything that a launch needs to know of one run; times in seconds. */
export interface Job {
  readonly supervisor: SupervisorSettings;
  readonly attempt: number;
  readonly jobScript: string;
  /** Variables for the `env` file; empty: no such file. */
  readonly variables: Readonly<Record<string, string>>;
  /** Written as `meta.json`: the request as launched. */
  readonly meta: unknown;
  /** The name for a screen session; null: none. */
  readonly session: string | null;
}

/** What a run is to its target once it is launched. */
export interface JobHandle {
  readonly id: string;
  readonly jobFolder: string;
  readonly attempt: number;
}

/** What is asked of a host before a plan is made or confirmed. Paths are the host's own: absolute, or from `~/` on. */
export interface PreflightRequest {
  /** null: none is entered. */
  readonly environment: EnvironmentRequest | null;
  readonly command: readonly string[];
  /** The folder that the run starts in. */
  readonly folder: string;
  /** Folders whose programs are looked at, and never run: nobody has confirmed a plan yet. */
  readonly project: readonly string[];
  /** What is to be there: paths, or patterns; from the folder where they are relative. */
  readonly inputs: readonly string[];
  /** Whether the run takes GPUs; false: they are not looked at. */
  readonly gpus: boolean;
}

/** What a host answered, in one question. */
export interface Preflight {
  /** Where job folders lie on the host; absolute. */
  readonly jobDir: string;
  /** Absolute. */
  readonly folder: string;
  readonly isFolderThere: boolean;
  readonly environment: CheckedEnvironment | null;
  readonly gpus: GpuReport | null;
  /** Those of the inputs that are not there, as they were given. */
  readonly missing: readonly string[];
}

/**
 * A place where work runs: a few functions around the one flow. It knows neither the command line nor the store:
 * whoever calls it has put the intent on record before.
 */
export interface Target {
  readonly kind: "local" | "ssh" | "slurm" | "vast" | "modal";
  /** The host's name for people. */
  readonly host: string;
  /** @throws environment_missing, gpus_unasked and, over a network, what keeps the host from answering */
  preflight(request: PreflightRequest): Promise<Preflight>;
  loadGpus(options: { python: readonly string[] | null }): Promise<GpuReport>;
  /** Makes the job folder with everything in it; a second call makes the same one again. */
  prepare(job: Job): Promise<void>;
  /** Starts the supervisor and answers when it has put itself on record. @throws launch_failed */
  launch(job: Job, env: Readonly<Record<string, string | undefined>>): Promise<StartAnswer>;
  /** One question for all runs; null when the host does not answer. */
  observe(runs: readonly JobHandle[]): Promise<HostAnswer | null>;
  /** A file of the job folder, to be read by ranges. */
  openFile(path: string): LogSource;
  /** Makes sure that a run without `pid` never starts; false when it has started meanwhile. */
  close(run: JobHandle): Promise<boolean>;
  /** Removes what an ended run leaves that nobody may need: values of its variables, and what a killed supervisor had begun. */
  tidy(run: JobHandle): Promise<void>;
  /** Stops the run and answers which processes outlived KILL. */
  stop(run: JobHandle, options: { graceS: number; by: string }): Promise<{ survivors: number[] }>;
}
