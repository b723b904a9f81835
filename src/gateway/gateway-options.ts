import type { Clock } from "../base/clock.ts";
import type { JobEnd } from "./case-end.ts";
import type { GatewayEvent } from "./gateway-event.ts";
import type { GatewayFlags, GatewayTimers } from "./gateway-flags.ts";
import type { CaseSpec, Simulator } from "./simulator.ts";

export interface GatewayOptions {
  /** Default: 127.0.0.1. SortieError `listen_failed` when this machine has no such address. */
  readonly host?: string;
  /** Default: 0, a free one. SortieError `port_taken` when another process has it, `listen_failed` when it may not be had. */
  readonly port?: number;
  /** Default: the values of `gatewayTimers`. */
  readonly timers?: Partial<GatewayTimers>;
  /** Default: the values of `gatewayFlags`. */
  readonly flags?: Partial<GatewayFlags>;
  readonly clock?: Clock;
  readonly onEvent?: (event: GatewayEvent) => void;
}

export interface Gateway {
  /** `ws://HOST:PORT/api/challenge/tunnel`. */
  readonly tunnelUrl: string;
  /** SortieError `gateway_option_bad`, `job_exists`, `gateway_stopped`. */
  addJob(job: JobSpec): Job;
  /** Drains every job, then ends every link and stops listening; within `graceMs`, cutting what does not go. */
  stop(graceMs: number): Promise<void>;
}

export interface JobSpec {
  /** Default: a new UUID. */
  readonly uuid?: string;
  /** Who submitted it: the cap of scope `user` counts over this. */
  readonly owner: string;
  readonly parallelism: number;
  readonly cases: readonly CaseSpec[];
  /** Plays any number of the cases at once. */
  readonly simulator: Simulator;
}

export interface Job {
  readonly uuid: string;
  /** The bearer token of its agents. */
  readonly token: string;
  /** Resolves when every case has ended, drain was sent and its tunnels are gone; never rejects. */
  readonly ended: Promise<JobEnd>;
  readonly tunnels: readonly TunnelView[];
  /**
   * Ends the job early: no case begins any more and every agent is told to drain. An observation that is in flight may
   * still be answered, and the simulator gets that answer; what the simulator asks after it is refused.
   */
  drain(): void;
  /** Resets the TCP connection of an agent without a word, as a network does. False when it has none. */
  cutLink(agentId: string): boolean;
  /**
   * Sends a text or a binary frame to an agent as it is, past every rule: a rehearsal finds out so what an agent makes
   * of what it does not know. False when it has no link.
   */
  sendFrame(agentId: string, data: string | Uint8Array): boolean;
}

export interface TunnelView {
  readonly agentId: string;
  readonly state: "queued" | "warmup" | "running" | "draining";
  readonly isConnected: boolean;
  /** The text of the session's id. */
  readonly sessionId?: string;
}
