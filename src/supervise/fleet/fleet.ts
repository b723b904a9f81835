/** What each agent of a fleet runs. */
export type FleetRunner =
  /** `sortie agent` with this handler; `args` are further words for it. */
  | {
      readonly kind: "handler";
      readonly handler: string;
      readonly python: string | null;
      readonly args: readonly string[];
    }
  /** A program with the three arguments of the challenge's own launcher: GPU index, job, gateway. */
  | { readonly kind: "script"; readonly path: string };

/**
 * `starting`: agents are still to be started for the first time; `running`: all were; `draining`: one was told to drain,
 * or the fleet is being stopped, so that none is started any more; `ended`: nothing of it is left.
 */
export type FleetState = "starting" | "running" | "draining" | "ended";

/** The runs of one challenge job: K agents, one GPU each. What is not known is null. Times are ISO 8601 UTC. */
export interface Fleet {
  readonly id: string;
  readonly name: string;
  readonly jobUuid: string;
  readonly endpoint: string;
  /** Of the challenge's API. */
  readonly baseUrl: string;
  readonly runner: FleetRunner;
  /** How many agents it has. */
  readonly k: number;
  /** How many the job allows. */
  readonly parallelism: number;
  /** null: the next is started when the one before is ready. */
  readonly staggerS: number | null;
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly state: FleetState;
  /** Why no agent is started any more, or how it ended; a clause for people. */
  readonly cause: string | null;
  /** Ids, in the order in which they are started. */
  readonly runs: readonly string[];
  readonly target: "local";
}

export function isFleetEnded({ state }: Pick<Fleet, "state">): boolean {
  return state === "ended";
}
