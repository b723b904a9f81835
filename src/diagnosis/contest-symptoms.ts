import type { EndReason } from "./diagnosis-row.ts";

/** All that was seen of a contestant's job: on this machine, and at the challenge. No token is in it. */
export interface ContestSymptoms {
  readonly stateFile: StateFileSymptoms;
  /** Login tokens in the order in which they are tried. */
  readonly tokens: readonly TokenSymptoms[];
  readonly api: ApiSymptoms;
  /** By how much this machine's clock is ahead of the challenge's; negative: behind; null: not known. */
  readonly clockAheadS: number | null;
  readonly job: JobSymptoms | null;
  /** Why there is no job: none was named anywhere, it is not among those of the account, or nobody could be asked. */
  readonly jobAbsence: "unnamed" | "not_found" | "unasked" | null;
  /** The job as it was named: a UUID, a number or the start of a name. */
  readonly wanted: string | null;
  /** How many cases the account may have at once; null: not said. */
  readonly mostCases: number | null;
  readonly endpoint: EndpointSymptoms;
  readonly environment: EnvironmentSymptoms;
  readonly agents: readonly AgentSymptoms[];
  /** Why the agents of this machine could not be looked at. */
  readonly agentsFault: string | null;
}

export interface StateFileSymptoms {
  readonly path: string;
  readonly exists: boolean;
  /** Why it cannot be read. */
  readonly fault: string | null;
  /** Others may read it. */
  readonly isOpen: boolean;
  /** Variables whose line only a shell could tell. */
  readonly unread: readonly { readonly name: string; readonly line: number }[];
}

export interface TokenSymptoms {
  readonly from: "environment" | "file";
  /** `void`: `null`, as scripts write it that found no token. `damaged`: no three parts with dots between. */
  readonly shape: "good" | "void" | "damaged";
  /** It stands beside a BASE_URL that is not the address in use, so that it is shown to nobody there. */
  readonly isElsewhere: boolean;
  /** When it ends by its own word (ISO 8601), and whether that is past by the challenge's clock, else by ours. */
  readonly expiresAt: string | null;
  readonly isExpired: boolean;
  readonly answer: "taken" | "refused" | "unasked";
  /** What the challenge said of it. */
  readonly said: string | null;
}

export interface ApiSymptoms {
  readonly baseUrl: string;
  /** `away`: nobody was reached. `trouble`: it answers with 500 and above. `odd`: what answers is not the API. */
  readonly state: "answers" | "away" | "trouble" | "odd";
  readonly said: string;
}

export interface JobSymptoms {
  readonly uuid: string;
  readonly name: string;
  /** How commands name it: the number where it is known. */
  readonly handle: string;
  readonly state:
    | "waiting_for_agent"
    | "waiting_for_slot"
    | "running"
    | "agent_lost"
    | "stopping"
    | "done"
    | "cancelled"
    | "failed"
    | "unknown";
  readonly isTerminal: boolean;
  /** What the challenge said: its status, in words. */
  readonly said: string;
  /** Null: not said. */
  readonly parallelism: number | null;
  /** Of a failed job: what its log says. */
  readonly failure: string | null;
}

export interface EndpointSymptoms {
  /** What agents would dial; null: it cannot be told. */
  readonly url: string | null;
  readonly source: string;
  readonly isDefault: boolean;
  /** Why it is no address of a gateway. */
  readonly fault: string | null;
  /** What the challenge itself names now; null: nothing, or it was not asked. */
  readonly told: string | null;
  /** Why nobody was reached there; null: reached, or not tried. */
  readonly unreachable: string | null;
}

export interface EnvironmentSymptoms {
  /** Proxy variables that would apply to the challenge or the endpoint; no password is in `host`. */
  readonly proxies: readonly { readonly name: string; readonly host: string }[];
  /** The hosts that a proxy would stand before. */
  readonly proxied: readonly string[];
  /** BASE_URL of the environment, where it differs from the address in use. */
  readonly otherBaseUrl: string | null;
  /** JOB_UUID of the environment, where it differs from the state file's. */
  readonly otherJob: string | null;
}

export interface AgentSymptoms {
  /** For people: `agent 2`. */
  readonly name: string;
  /** Its run, for `sortie logs`. */
  readonly run: string;
  readonly isLive: boolean;
  readonly state:
    | "waiting"
    | "starting"
    | "queued"
    | "warmup"
    | "running"
    | "redialing"
    | "draining"
    | "drained"
    | "failed"
    | "stopped"
    | "unknown";
  /** How long it is in this state; null: not known. */
  readonly sinceS: number | null;
  /** How its attempts ended, the last one last; empty: it never ended. */
  readonly ends: readonly AttemptEnd[];
  /** The end of its log. */
  readonly logTail: string;
  /** What its last events say, the newest last. */
  readonly events: readonly string[];
}

export interface AttemptEnd {
  readonly reason: EndReason;
  readonly exitCode: number | null;
  readonly cause: string | null;
  readonly evidence: string | null;
  readonly next: string | null;
}

/** Whether one of the login tokens was asked about and taken. */
export function isLoggedIn({ tokens }: ContestSymptoms): boolean {
  return tokens.some(({ answer }) => answer === "taken");
}
