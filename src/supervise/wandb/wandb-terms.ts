/** What a plan does for W&B. No key is part of it. */
export interface WandbTerms {
  readonly project: string;
  /** The team or user; null: the default of whoever is logged in. */
  readonly entity: string | null;
  readonly name: string;
  /** W&B's id of the run, the same in all of its attempts; null: the run's own id. */
  readonly id: string | null;
  /** `online`, `offline`, or whatever a person has set. */
  readonly mode: string;
  /** Why it is that, for people. */
  readonly why: string;
  /** The address of W&B's server. */
  readonly url: string;
  /** The package in the run's environment; null: it is not there, or not known before that is built. */
  readonly version: string | null;
  /** Where the key comes from: the host's own variable or netrc, `--env`, the caller's variable, a file of the project. null: none. */
  readonly login: "environment" | "netrc" | "flag" | "caller" | "file" | null;
  /** What the run gets beside its id; what a person gives is not among them. */
  readonly variables: Readonly<Record<string, string>>;
  /** Names of variables whose values are kept in a private file until the run has them. */
  readonly carried: readonly string[];
  /**
   * How numbers get there: by lines of Sortie in the script, by what runs itself, or forwarded from its log once it has ended.
   * `none`: they were to be forwarded, and nothing here can. Absent in an older plan.
   */
  readonly way?: "script" | "own" | "forward" | "none";
  /** The program `wandb` on this machine whose package forwards them; null: none does. */
  readonly forwarder?: string | null;
  /** null: no file is changed. */
  readonly change: ScriptTerms | null;
}

/** Logging that is written into a script. Hashes are sha256 of the whole file. */
export interface ScriptTerms {
  /** Absolute, without links in it. */
  readonly file: string;
  /** As a person calls it. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly added: number;
  readonly removed: number;
  readonly metrics: readonly string[];
  /** Promised metrics that it has nothing for. */
  readonly missing: readonly string[];
  readonly diff: string;
}
