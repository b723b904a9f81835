import type { CaseFailure, JobOutcome } from "./case-end.ts";
import type { PolicyDoorEvent } from "./policy-port/door-event.ts";
import type { CaseSpec } from "./simulator.ts";

/** What the gateway saw, in order; for logs, rehearsals and tests. */
export type GatewayEvent = (TunnelReport | CaseReport | ServerReport | PolicyDoorEvent) & {
  readonly at: Date;
  /** Milliseconds that never run backwards. */
  readonly monotonicMs: number;
  /** As dialled, also where there is no such job; empty where none was named. */
  readonly jobUuid: string;
  readonly agentId: string;
};

/** What happened to the server itself: job and agent are empty. The server goes on. */
export interface ServerReport {
  readonly type: "server_fault" | "store_fault" | "recording_fault" | "simulator_fault";
  readonly why: string;
}

/** How cases go, and the job with them; of the end of a job the agent is empty. */
export type CaseReport =
  | {
      readonly type: "case_began";
      readonly sessionId: string;
      readonly spec: CaseSpec;
      /** It goes on after a restart of the gateway. */
      readonly resumed: boolean;
    }
  | {
      readonly type: "case_ended";
      readonly sessionId: string;
      readonly spec: CaseSpec;
      readonly failure?: CaseFailure;
      readonly detail?: string;
      /** null: unscored. */
      readonly score?: number | null;
      /** It is begun again. */
      readonly retried: boolean;
    }
  /** For something that nobody but the organiser can give. */
  | { readonly type: "job_waits"; readonly why: string }
  | { readonly type: "job_ended"; readonly outcome: JobOutcome };

/** What happened on the tunnel of one agent. */
export type TunnelReport =
  | { readonly type: "dialed"; readonly resumed: boolean }
  | { readonly type: "refused"; readonly why: RefusalReason; readonly status?: number }
  | { readonly type: "warmup_sent" | "ready" | "queued_sent" | "drain_sent" }
  | {
      readonly type: "session_opened" | "session_closed";
      readonly sessionId: string;
      readonly by?: "gateway" | "agent";
    }
  /** `resent`: the same observation again, after a resume. */
  | {
      readonly type: "observation_sent";
      readonly sessionId: string;
      readonly bytes: number;
      readonly resent: boolean;
    }
  /** `payload` is only good during the call. `asked`: an observation was waiting for it. */
  | {
      readonly type: "reply";
      readonly sessionId: string;
      readonly payload: Uint8Array;
      readonly asked: boolean;
    }
  /** Of no session that is open: `sessionId` is printable, and may be that of one that has ended. */
  | { readonly type: "reply_unknown_session"; readonly sessionId: string; readonly bytes: number }
  | { readonly type: "empty_reply"; readonly sidBytes: number }
  | { readonly type: "malformed_frame"; readonly why: string }
  | { readonly type: "ignored_control"; readonly why: string }
  | { readonly type: "agent_ping" | "agent_pong" }
  /** The link ended between `warmup` and `ready`: most likely the model could not be loaded. */
  | { readonly type: "warm_up_failed" }
  | {
      readonly type: "link_closed";
      readonly code: number;
      readonly reason: string;
      readonly windowOpen: boolean;
    }
  | { readonly type: "window_expired"; readonly sessionId: string };

export type RefusalReason =
  | "no_such_path"
  | "bad_request"
  | "bad_token"
  | "job_over"
  | "over_cap"
  | "duplicate"
  | "pair_expired"
  /** The gateway is stopping, and the dial is no agent's that is in the middle of a session. */
  | "stopping"
  /** Whose login the token is could not be found out. */
  | "lookup_failed";
