import type { TierRecord } from "../tiers/tier-record.ts";

/** A Python, as it is told apart from others. */
export interface Interpreter {
  readonly path: string;
  readonly version: string | null;
  /** Of the names of what is installed beside it; null: not asked. It tells whether an environment that is not ours was changed. */
  readonly packages: string | null;
}

/** A GPU, as far as trust in an environment depends on it. */
export interface Card {
  readonly uuid: string;
  readonly model: string;
  readonly driver: string;
}

/** An environment that was built and may be used; written as `ready.json`. */
export interface ReadyEnvironment {
  readonly name: string;
  readonly hash: string;
  /** Of the requirement files that its spec names; null: it names none. */
  readonly inputs: string | null;
  readonly tool: "venv" | "uv" | "conda";
  /** Absolute; environments cannot be moved. */
  readonly prefix: string;
  readonly interpreter: Interpreter;
  /** Of the host when it was built; null: it has no NVIDIA driver. */
  readonly driver: string | null;
  readonly cuda: string | null;
  readonly gpus: readonly string[];
  /** ISO 8601 UTC. */
  readonly builtAt: string;
}

/** What a host has of one environment. */
export interface EnvironmentStatus {
  /** Absolute. */
  readonly envsDir: string;
  /** The newest build of the hash that was asked for, if its interpreter is there. */
  readonly ready: ReadyEnvironment | null;
  /** What the name points to now, whichever hash that has. */
  readonly pointer: { readonly hash: string; readonly prefix: string } | null;
  /** Somebody builds it now. */
  readonly isBuilding: boolean;
  /** What its tiers have shown, the oldest first. */
  readonly records: readonly TierRecord[];
  /** null: they were not asked about; empty: there are none, or nvidia-smi fails. */
  readonly cards: readonly Card[] | null;
  /** The CPUs that a process may use there. */
  readonly cpus: number;
  /** The environment that a person has made, where its interpreter was given. */
  readonly own: Interpreter | null;
}
