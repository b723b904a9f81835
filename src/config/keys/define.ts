/** Kinds of target; `remote` in a file means `ssh`. */
export const targetKinds = ["local", "ssh", "slurm", "vast", "modal"] as const;
export type TargetKind = (typeof targetKinds)[number];

/** How a value is read; each has one reader in `value-readers.ts` or, for the last six, a file of its own. */
export type ValueType =
  | "text"
  | "boolean"
  | "integer"
  | "number"
  | "usd"
  | "duration"
  | "list"
  | "choice"
  | "slurm_time"
  | "memory"
  | "boolean_or_path"
  | "gpu"
  | "ssh"
  | "conda"
  | "conda_hook"
  | "activation"
  | "venv";

/** One key that a section may hold. */
export interface KeyRow {
  readonly type: ValueType;
  /** What people also write; spaces, hyphens, underscores and case make no difference. */
  readonly spellings?: readonly string[];
  /** The kinds that it means something to; absent: all. */
  readonly kinds?: readonly TargetKind[];
  /** Its place in a target's object, `{kind}` standing for the kind; absent: several keys are put together. */
  readonly at?: string;
  readonly choices?: readonly string[];
  /** May also stand in `## Sortie`, in config.yaml and in a SORTIE_ variable. */
  readonly setting?: true;
  /** Only in config.yaml and in a SORTIE_ variable: it is the person's own, and no project may set it. */
  readonly personal?: true;
  /** Holds for the whole file where one section alone sets it. */
  readonly fileWide?: true;
  /** Of a duration: 0 has a meaning too. */
  readonly mayBeZero?: true;
  /** Never shown. */
  readonly secret?: true;
  /** One line for the documents. */
  readonly about: string;
}

/** Keeps the names of a table as literal types, so that a misspelt name does not compile. */
export function defineKeys<const Table extends Record<string, KeyRow>>(table: Table): Table {
  return table;
}
