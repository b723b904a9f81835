import type { EnvironmentRequest } from "../env/activation.ts";
import type { EnvironmentStatus } from "../env/build/environment-status.ts";
import type { CheckedEnvironment } from "../env/check-environment.ts";
import type { WandbFacts, WandbQuestion } from "../env/wandb/probe-wandb.ts";
import type { GpuReport } from "../gpus/parse-report.ts";
import type { FetchedFiles } from "../runs/fetched-files.ts";
import type { FileRange, RangeWish } from "../runs/file-ranges.ts";
import type { LogSource } from "../runs/log-source.ts";
import type { Made, MadeWish } from "../runs/made-files.ts";
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
  /** The code that was sent for it, to be checked before it starts; null: it runs where it lies. */
  readonly sent: SentCode | null;
}

/** Code on a host, as it must lie there. */
export interface SentCode {
  /** Absolute. */
  readonly codeDir: string;
  /** What checks it: see `sync/send`. */
  readonly manifest: Uint8Array;
  /** The commit that a checkout was brought to; null: the files were sent. */
  readonly commit: string | null;
  /** The run starts in a copy of its own; the names at the top of the code folder that are not linked into it. null: it does not. */
  readonly freeze: { readonly list: Uint8Array; readonly without: readonly string[] } | null;
}

/** A script for `sh -s` on a host, and what is read of its answer. */
export interface Question<Answer> {
  readonly script: string;
  readonly timeoutMs: number;
  /** null: the answer is not whole. */
  read(stdout: string): Answer | null;
}

/** A run just after its start. */
export interface StartSight {
  /** null: the host did not answer. */
  readonly answer: HostAnswer | null;
  /** Its GPUs; null: they were not asked about. */
  readonly gpus: GpuReport | null;
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
  /** The environment under contract that is asked about; null or absent: none. */
  readonly contract?: ContractQuestion | null;
  /** What is asked about W&B; null or absent: nothing. */
  readonly wandb?: WandbQuestion | null;
  /** Over a network: where the project's code lies. */
  readonly codeDir?: string;
  /** What git says of that is asked, too. */
  readonly asksGit?: boolean;
  /** The versions of tools are asked, too: that takes its time. */
  readonly asksVersions?: boolean;
  /** Over a network: which Node.js there is, is asked, too. */
  readonly asksNode?: boolean;
}

/** What is asked about an environment under contract. */
export interface ContractQuestion {
  /** Absolute, or from `~/` on. */
  readonly envsDir: string;
  readonly name: string;
  readonly hash: string;
  /** Of the requirement files that its spec names; null: it names none. */
  readonly inputs: string | null;
  /** It is the environment of the same request, which a person has made. */
  readonly isOwn: boolean;
  /** What is known of the cards is asked, too. */
  readonly asksCards: boolean;
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
  /** What it has of the environment under contract; null: that was not asked. */
  readonly contract: EnvironmentStatus | null;
  /** What it has for W&B; null or absent: that was not asked. */
  readonly wandb?: WandbFacts | null;
  /** Those of the inputs that are not there, as they were given. */
  readonly missing: readonly string[];
  /** What matters of a host that is not this machine; null: it is this one. */
  readonly server: ServerFacts | null;
}

/** A host over the network, as its pre-flight found it. */
export interface ServerFacts {
  /** Its own name, as `pid` records have it. */
  readonly hostName: string;
  /** Absolute. */
  readonly home: string;
  readonly loginShell: string;
  /** Its shell prints something of its own at every command: the first line of that. null: it does not. */
  readonly banner: string | null;
  /** What of rsync, screen, git, python3, setsid, flock … is there, with versions where they were asked and tell one. */
  readonly tools: Readonly<Record<string, string>>;
  /** Where the job folder and the code folder will lie. */
  readonly disks: readonly {
    readonly path: string;
    readonly freeKib: number;
    readonly freeInodes: number | null;
  }[];
  /** Its clock less ours, to a second or so. */
  readonly clockSkewS: number;
  /** Its system ends what a person started when they log out; `scope`: there is a way round it. null: it does not. */
  readonly killsAtLogout: "scope" | "no_way_round" | null;
  /** What git says of the code folder, line by line; empty: it was not asked. */
  readonly checkout: readonly (readonly [key: string, value: string])[];
  /** Every Node.js that was found, the most likely first; empty: it was not asked for. A version that it does not tell is null. */
  readonly nodes: readonly { readonly path: string; readonly version: string | null }[];
  /** Of job folder and code folder those in which nothing can be made. */
  readonly unwritable: readonly string[];
  /** Other live runs that were started in the code folder. */
  readonly liveRuns: readonly string[];
}

/** The code of a run that is sent to its host. Bytes of names need not be UTF-8. */
export interface CodeToSend {
  /** The project folder at home; absolute. */
  readonly source: string;
  /** Where it goes on the host; absolute. */
  readonly codeDir: string;
  /** Paths below the source, each ended by a NUL: what rsync reads. */
  readonly list: Uint8Array;
  /** What is there already is read, not judged by its size and time. */
  readonly byContent: boolean;
}

/** Files of a host that are to come to this machine. */
export interface FetchWish {
  /** Absolute paths, in bytes. */
  readonly files: readonly Buffer[];
  /** A folder on this machine; what an earlier call has brought there is gone on with. */
  readonly into: string;
}

/** How far a transfer is. */
export interface Transfer {
  readonly bytes: number;
  /** 0 to 1; null: not told. */
  readonly part: number | null;
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
  /** Sends code to the host; a second call goes on where the first was cut. null: the code lies where it runs. @throws sync_failed and what the network throws */
  readonly send:
    | ((
        code: CodeToSend,
        options: { onProgress?: (transfer: Transfer) => void; signal?: AbortSignal },
      ) => Promise<void>)
    | null;
  /** Puts a question to a host over the network; null: it is this machine. @throws what keeps it from answering */
  readonly ask: (<Answer>(question: Question<Answer>) => Promise<Answer>) | null;
  /**
   * Makes the job folder with everything in it; a second call makes the same one again. Over a network that is put off until
   * `launch`, unless another process will launch it: `isParked`.
   */
  prepare(job: Job, options?: { isParked?: boolean }): Promise<void>;
  /** Starts the supervisor and answers when it has put itself on record. @throws launch_failed */
  launch(job: Job, env: Readonly<Record<string, string | undefined>>): Promise<StartAnswer>;
  /** Waits on the host until the command is on record, and then so long, or to its end. */
  watchStart(run: JobHandle, options: { watchMs: number; gpus: boolean }): Promise<StartSight>;
  /** One question for all runs; null when this machine has no time to answer. @throws what keeps a host over the network from answering */
  observe(runs: readonly JobHandle[], options?: { timeoutMs?: number }): Promise<HostAnswer | null>;
  /** A file of the job folder, to be read by ranges. */
  openFile(path: string): LogSource;
  /** Ranges of several files in one question. */
  readRanges(wishes: readonly RangeWish[], options?: { timeoutMs?: number }): Promise<FileRange[]>;
  /** What a run has made, and when it ran, by the clock of its host. */
  listMade(wish: MadeWish): Promise<Made>;
  /**
   * Brings files of the host to this machine and compares their hashes with those that the host tells; what changes
   * meanwhile is fetched anew, up to three times. null: they lie on this machine.
   * @throws sync_failed, results_unreadable, and what the network throws
   */
  readonly fetch:
    | ((
        wish: FetchWish,
        options: { onProgress?: (transfer: Transfer) => void; signal?: AbortSignal },
      ) => Promise<FetchedFiles>)
    | null;
  /** Makes sure that a run without `pid` never starts; false when it has started meanwhile. */
  close(run: JobHandle): Promise<boolean>;
  /**
   * Removes what an ended run leaves that nobody may need: values of its variables, and what a killed supervisor had begun.
   * A supervisor that starts meanwhile would lose them: only for a run that runs no more, and never will.
   */
  tidy(run: JobHandle): Promise<void>;
  /** Removes the job folder of a run that is forgotten. */
  removeFolder(run: JobHandle): Promise<void>;
  /** Stops the run and answers which processes outlived KILL. */
  stop(run: JobHandle, options: { graceS: number; by: string }): Promise<{ survivors: number[] }>;
}
