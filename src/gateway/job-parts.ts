import type { Clock } from "../base/clock.ts";
import type { JobOutcome } from "./case-end.ts";
import type { CaseReport, ServerReport, TunnelReport } from "./gateway-event.ts";
import type { GatewayFlags, GatewayTimers } from "./gateway-flags.ts";
import type { JobJournal } from "./job-journal.ts";
import type { TimeLimits } from "./limit-time.ts";
import type { PolicyDoorEvent } from "./policy-port/door-event.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Seat } from "./seat.ts";
import type { SessionPast } from "./session.ts";
import type { CaseSpec } from "./simulator.ts";
import type { Tunnel } from "./tunnel.ts";

/** What all jobs of a gateway share. */
export interface JobHost {
  readonly flags: GatewayFlags;
  readonly timers: GatewayTimers;
  readonly clock: Clock;
  readonly scheduler: Scheduler<Tunnel>;
  /** Aborts when the gateway is closed: nothing is waited for any more. */
  readonly closing: AbortSignal;
  report(
    jobUuid: string,
    agentId: string,
    event: TunnelReport | CaseReport | ServerReport | PolicyDoorEvent,
  ): void;
}

/** What a job is made of. */
export interface JobParts {
  readonly uuid: string;
  readonly tokenHash: Buffer;
  readonly owner: string;
  readonly parallelism: number;
  /** Those that have not ended. */
  readonly cases: readonly CaseSpec[];
  /** Plays any number of the cases at once; undefined: the seats of the gateway do. */
  readonly ownSeat?: Seat;
  /** How often a case is begun before the whole job fails; undefined: once, and the other cases go on. */
  readonly attempts?: number;
  /** Attempts that failed before a restart of the gateway, by the number of the case. */
  readonly failures?: ReadonlyMap<number, number>;
  /** How it ends, where that was decided before a restart: nothing of it begins any more. */
  readonly doom?: JobOutcome;
  /**
   * Agents that may not have heard that they are drained, of a job whose end was told before: for a window they are told so
   * when they dial again.
   */
  readonly farewells?: readonly string[];
  readonly limits?: TimeLimits;
  readonly journal?: JobJournal;
}

/** A case that goes on after a restart with the agent that had it. */
export interface RestoredCase {
  /** One of the job's cases. */
  readonly spec: CaseSpec;
  readonly agentId: string;
  readonly past: SessionPast;
}
