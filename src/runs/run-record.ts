import type { ProcessIdentity } from "../process/identity.ts";
import type { SshHost } from "../process/ssh/ssh-host.ts";
import type { RunModal } from "./run-modal.ts";
import type { Seat } from "./seat.ts";
import type { EndReason, RunState } from "./states.ts";

/** What a person asked for, as far as it must be known again for a rerun. Times in seconds. */
export interface RunRequest {
  readonly command: readonly string[];
  readonly cwd: string;
  /** Where the configuration was looked for, if not from `cwd`. */
  readonly configFrom?: string;
  readonly target: string | null;
  readonly name: string | null;
  readonly gpus: number | "none" | "default";
  /** Indexes or UUIDs that the person named; empty: any. */
  readonly gpu: readonly string[];
  /** Names of the variables given with --env and --env-file; the values lie in files of mode 0600 alone. */
  readonly envNames: readonly string[];
  /** The files of --env-file, absolute: they hold values, and are not taken for code. */
  readonly envFiles: readonly string[];
  readonly results: readonly string[];
  readonly resultsTo: string | null;
  readonly timeoutS: number | null;
  readonly graceS: number;
  readonly expectS: number | null;
  /** null: do not wait for a GPU; Infinity is written as -1. */
  readonly waitGpuS: number | null;
  /** It starts in a copy of its own of the code on its host. */
  readonly freeze?: boolean;
  /** Paths that are sent to the host beside the code, absolute. */
  readonly copies?: readonly string[];
  /** The environment's name or specification that was asked for with a flag. */
  readonly environment?: string;
  /** It may start in an environment that has not shown that it works. */
  readonly unverified?: boolean;
  /** How its numbers get to W&B, where that was asked for with a flag. */
  readonly wandbWay?: "script" | "forward";
  /** How numbers stand in its log, beside the forms that are known. */
  readonly metricPatterns?: readonly string[];
  /** It is told of when it says and does nothing for so long, in seconds; 0: never. */
  readonly silentAfterS?: number;
}

/** Where a run is on a host over the network; folders are absolute, and the host's own. */
export interface RemotePlace {
  readonly address: SshHost;
  /** Where the project's code lies. */
  readonly codeDir: string;
  /** Where it starts, or what that is a copy of. */
  readonly folder: string;
  /** It starts in a copy of its own, in its job folder. */
  readonly freeze?: boolean;
}

/** The specification of an environment, and whether it was to show that it works before the run. */
export interface RunContract {
  readonly name: string;
  readonly hash: string;
  readonly isUnverified: boolean;
}

/** A run of W&B's. */
export interface RunWandb {
  readonly project: string;
  /** null: the default of whoever is logged in where it runs. */
  readonly entity: string | null;
  readonly id: string;
  readonly mode: string;
  /** The address of its server. */
  readonly url: string;
  /** The numbers of its log are forwarded once it has ended; or were to be, and none is; absent: what runs logs by itself. */
  readonly way?: "forward" | "none";
  /** So many rows were forwarded; absent: none yet. */
  readonly rows?: number;
}

export interface ResultFile {
  /** From the run's folder, or absolute where the pattern was. */
  readonly path: string;
  /** Where it lies in the folder of results. */
  readonly storedAs: string;
  /** The same in base64, where its bytes are not UTF-8. */
  readonly storedAsBytes?: string;
  readonly bytes: number;
  readonly sha256: string;
  /** It never stood still while it was copied. */
  readonly changing: boolean;
  /** Another run wrote into the same folder at the same time: whose file it is cannot be told. */
  readonly shared: boolean;
}

/** Why a host does not answer: an error's code and message, and what to do about it. */
export interface Silence {
  readonly code: string;
  readonly reason: string;
  readonly hint: string;
  /** What its host costs meanwhile, as far as is known, in US dollars; absent: it is not rented for a run. */
  readonly dollarsPerHour?: number;
}

/** The whole record of a run, as the store keeps it. What is not known is null. Times are ISO 8601 UTC. */
export interface RunRecord {
  readonly id: string;
  readonly name: string;
  readonly state: RunState;
  readonly endReason: EndReason | null;
  readonly exitCode: number | null;
  readonly plan: string;
  readonly target: string;
  readonly kind: string;
  readonly host: string;
  readonly request: RunRequest;
  readonly gpus: readonly string[];
  /** What the run was started in; python is null where the environment has none. */
  readonly environment: {
    readonly label: string;
    readonly python: { readonly path: string; readonly version: string | null } | null;
    /** null, or absent in an older record: it is under no contract. */
    readonly contract?: RunContract | null;
    /** How a shell enters it, where that is known only since it was built; absent: as its plan says. */
    readonly entry?: { readonly lines: readonly string[]; readonly shell: "sh" | "bash" };
  };
  readonly git: { commit: string | null; branch: string | null; tree: string } | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** By the host's own clock that never jumps. */
  readonly durationS: number | null;
  readonly attempt: number;
  readonly jobFolder: string;
  readonly log: string;
  readonly session: string | null;
  readonly pid: number | null;
  readonly expected: { seconds: number | null; source: "flag" | "earlier_runs" | "progress" | "unknown" };
  /** Why it ended so, in a sentence; then the line that shows it, and what to do next. */
  readonly cause: string | null;
  readonly evidence: string | null;
  readonly nextStep: string | null;
  /** null until they were brought home. */
  readonly results: readonly ResultFile[] | null;
  readonly resultsFolder: string | null;
  readonly collectFault: string | null;
  readonly notes: readonly string[];
  readonly waitingFor: string | null;
  readonly reachable: boolean;
  readonly observedAt: string | null;
  /** Who launches it; a dead launcher's run is settled by the next command. */
  readonly launcher: ProcessIdentity;
  /** When the start of the supervisor was intended; null: not yet. */
  readonly startIntentAt: string | null;
  /** null, or absent in an older record: it runs on this machine, in the folder of its request. */
  readonly remote?: RemotePlace | null;
  /** Why its host does not answer. null, or absent: it does, or nobody knows why. */
  readonly silence?: Silence | null;
  /** What the clock of its host over the network shows, less what ours did, when it was last seen; absent: the same. */
  readonly clockSkewS?: number;
  /** Since when it says and does nothing; null, or absent: it does, or nobody asked. */
  readonly quietSince?: string | null;
  /** Where it logs to W&B; null, or absent in an older record: nowhere that Sortie knows of. */
  readonly wandb?: RunWandb | null;
  /** What it is at Modal; null, or absent: it runs on a machine. */
  readonly modal?: RunModal | null;
  /** Its place in a fleet; null, or absent in an older record: it belongs to none. */
  readonly seat?: Seat | null;
}

/** What a run list needs of a run. */
export interface RunSummary {
  readonly id: string;
  readonly name: string;
  readonly state: RunState;
  readonly endReason: EndReason | null;
  readonly exitCode: number | null;
  readonly target: string;
  readonly command: string;
  readonly gpuCount: number;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly durationS: number | null;
  readonly reachable: boolean;
  readonly observedAt: string | null;
  /** Absent in an older record. */
  readonly host?: string;
  readonly silence?: Silence | null;
  readonly clockSkewS?: number;
  readonly quietSince?: string | null;
}
