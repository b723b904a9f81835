import type { FleetOutcome } from "./fleet-outcome.ts";

/** What each agent of a fleet runs. Paths are absolute; on another host they start in the folder that the agents start in. */
export type FleetRunner =
  /** `sortie agent` with this handler; null: the interpreter that it chooses itself. */
  | { readonly kind: "handler"; readonly handler: string; readonly python: string | null }
  /** A program with the three arguments of the challenge's own launcher: GPU index, job, gateway. */
  | { readonly kind: "script"; readonly path: string };

/**
 * `starting`: agents are still to be started for the first time; `running`: all were; `draining`: the job is being drained,
 * or the fleet is being stopped, so that none is started any more; `ended`: nothing of it is left.
 */
export type FleetState = "starting" | "running" | "draining" | "ended";

/** The runs of one challenge job: K agents, one GPU each. What is not known is null. Times are ISO 8601 UTC. */
export interface Fleet {
  readonly id: string;
  readonly name: string;
  readonly jobUuid: string;
  readonly endpoint: string;
  /** Of the challenge's API; null: there is none to be asked. */
  readonly baseUrl: string | null;
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
  /** null while an agent lives; kept, since runs may be forgotten. */
  readonly outcome: FleetOutcome | null;
  /** The name of the target that its agents run on. */
  readonly target: string;
  /** What the challenge last said of the job, where a script's log does not tell whether its agent is up. */
  readonly jobSaid: { readonly at: string; readonly isServed: boolean } | null;
}

export function isFleetEnded({ state }: Pick<Fleet, "state">): boolean {
  return state === "ended";
}
