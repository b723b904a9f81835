import type { Card, Interpreter } from "../key-of-trust.ts";
import type { TierRecord } from "../tiers/tier-record.ts";

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
