/** What a person asks for; what is left out is looked for, or has its default. */
export interface FleetWish {
  /** null: not said; then a plan proposes as many as can run. */
  readonly agents: number | "max" | null;
  /** Absolute; the handler, the launcher script and the configuration are looked for from here. */
  readonly cwd: string;
  /** Where they run; default: on this machine. */
  readonly target?: string | undefined;
  readonly jobUuid?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly parallelism?: number | undefined;
  /** Of the challenge's API. */
  readonly baseUrl?: string | undefined;
  /** The value of `--access-token`. */
  readonly token?: string | undefined;
  /** As for `sortie agent`. */
  readonly handler?: string | undefined;
  /** A launcher with the three arguments of the challenge's own `tunnel.sh`. */
  readonly runner?: string | undefined;
  readonly python?: string | undefined;
  readonly staggerS?: number | undefined;
  /** `none`: the agents need no GPU. A number: how many its host has; only where it has no nvidia-smi to tell. */
  readonly gpus?: "none" | number | undefined;
  /** They may start in an environment that has not shown that it works. */
  readonly unverified?: boolean | undefined;
  /** Indexes or UUIDs; empty: all that are free. */
  readonly gpu: readonly string[];
}
