import type { CondaUse } from "./conda.ts";
import type { TargetKind } from "./keys/define.ts";
import type { KeyName } from "./keys/table.ts";
import type { SshAddress } from "./ssh-address.ts";

/** A place where work runs, as its section says; what the section does not say is left out. */
export interface Target {
  /** The heading in kebab case; unique in its file. */
  readonly name: string;
  readonly kind: TargetKind;
  readonly heading: string;
  /** First and last line of the section, counted from 1; zeros for the local target that no section describes. */
  readonly lines: readonly [number, number];
  readonly ssh?: SshAddress;
  readonly gpuNote?: string;
  readonly conda?: CondaUse;
  /** Folder of a virtual environment. */
  readonly venv?: string;
  /** `true` for the uv project in the code folder, or another one's folder. */
  readonly uv?: boolean | string;
  readonly python?: string;
  /** Shell text that activates the environment; needs trust. */
  readonly activate?: { readonly shell: string };
  readonly envSpec?: string;
  readonly envLedger?: string;
  readonly envDir?: string;
  readonly codeDir?: string;
  readonly jobDir?: string;
  readonly freeMemoryMiB?: number;
  readonly graceS?: number;
  readonly timeoutS?: number;
  readonly metricPattern?: readonly string[];
  readonly silentAfterS?: number;
  readonly results?: readonly string[];
  readonly resultsTo?: string;
  readonly data?: readonly string[];
  readonly checkpoints?: readonly string[];
  readonly codeSync?: "rsync" | "git";
  readonly syncInclude?: readonly string[];
  readonly syncExclude?: readonly string[];
  readonly freeze?: boolean;
  readonly wandb?: boolean;
  readonly wandbProject?: string;
  readonly wandbEntity?: string;
  readonly wandbWay?: "script" | "forward";
  readonly slurm?: SlurmOptions;
  readonly vast?: VastOptions;
  readonly modal?: ModalOptions;
  readonly notes: readonly TargetNote[];
  /** Where it was read; not part of the document. */
  readonly source: TargetSource;
}

export interface TargetNote {
  readonly text: string;
  readonly line: number;
}

export interface TargetSource {
  /** Absolute path; null for the local target that no section describes. */
  readonly file: string | null;
  readonly values: ReadonlyMap<KeyName, KeyValue>;
}

/** One key of a section, read. */
export interface KeyValue {
  readonly value: unknown;
  readonly line: number;
  /** The key as it is written there. */
  readonly label: string;
  /** The value as it is written there, without comment and quotes. */
  readonly text: string;
}

export interface SlurmOptions {
  readonly partition: string | null;
  readonly account: string | null;
  readonly qos: string | null;
  /** As sbatch takes it. */
  readonly time: string | null;
  readonly gres: string | null;
  readonly constraint: string | null;
  readonly nodes: number | null;
  readonly cpusPerTask: number | null;
  /** As sbatch takes it: `32G`. */
  readonly mem: string | null;
  readonly sbatch: readonly string[];
}

export interface VastOptions {
  /** null: one is rented. */
  readonly instance: number | null;
  readonly autoDestroy: boolean;
  readonly maxBudgetUsd: number | null;
  readonly gpuName?: string;
  readonly gpuCount?: number;
  /** `24G`, as written. */
  readonly minGpuMemory?: string;
  readonly disk?: string;
  readonly cuda?: string;
  readonly maxPriceUsdPerHour?: number;
  readonly maxHours?: number;
  readonly image?: string;
}

export interface ModalOptions {
  readonly app: string | null;
  readonly function: string | null;
  readonly gpu: string | null;
  readonly timeoutS: number | null;
  readonly volume: string | null;
  readonly secrets: readonly string[];
  readonly image?: string;
  readonly requirements?: string;
  readonly maxBudgetUsd?: number;
}

/** The local target that always exists, also where no section describes it. */
export function makeLocalTarget(): Target {
  const source = { file: null, values: new Map<KeyName, KeyValue>() };
  return { name: "local", kind: "local", heading: "", lines: [0, 0], notes: [], source };
}
