import type { Clock } from "../base/clock.ts";
import type { GatewayEvent } from "./gateway-event.ts";
import type { CaseResult, CaseSpec, Simulator } from "./simulator.ts";

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

/** All in milliseconds. */
export interface GatewayTimers {
  readonly pingMs: number;
  /** Silence after which a link is ended and the window opens. */
  readonly readDeadlineMs: number;
  /** How long a session waits for its agent to come back. */
  readonly windowMs: number;
  /** How long drained agents may take before their links are cut. */
  readonly drainMs: number;
}

/** PROTOCOL 1.6. */
export const gatewayTimers: GatewayTimers = {
  pingMs: 20_000,
  readDeadlineMs: 45_000,
  windowMs: 30_000,
  drainMs: 60_000,
};

/** What is known or guessed of the platform differs from what is best: each difference has a switch. */
export interface GatewayFlags {
  /** Sends the unanswered observation again after a resume. */
  readonly resendOnResume: boolean;
  /** Says after a resume how many replies arrived. */
  readonly sendResume: boolean;
  /** As on the platform, a reply that nobody waits for becomes the answer to the next observation. */
  readonly strictFrames: boolean;
  readonly capScope: "user" | "job";
  /** `typed` tells the reason of a close in code and words; `silent` does not, as the platform. */
  readonly closeCodes: "silent" | "typed";
  /** Says `queued` once to a ready agent for which there is no case. */
  readonly emitQueued: boolean;
}

export const gatewayFlags: GatewayFlags = {
  resendOnResume: true,
  sendResume: true,
  strictFrames: false,
  capScope: "job",
  closeCodes: "typed",
  emitQueued: true,
};

/** The flags under which the gateway does what the platform does. */
export const platformFlags: GatewayFlags = {
  ...gatewayFlags,
  resendOnResume: false,
  sendResume: false,
  strictFrames: true,
  closeCodes: "silent",
};

export interface Gateway {
  /** `ws://HOST:PORT/api/challenge/tunnel`. */
  readonly tunnelUrl: string;
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

export interface JobEnd {
  /** In the order in which they ended. */
  readonly cases: readonly CaseEnd[];
  readonly outcome: JobOutcome;
}

/** `stopped`: it was drained early; `failed`: a case was begun as often as it may be. */
export type JobOutcome = "succeeded" | "stopped" | "failed";

export interface CaseEnd {
  readonly spec: CaseSpec;
  readonly agentId?: string;
  readonly result?: CaseResult;
  /** `tunnel_lost`: reason 9 of the documents, with `reconnect window expired` as its detail. */
  readonly failure?: CaseFailure;
  readonly detail?: string;
}

export type CaseFailure =
  | "tunnel_lost"
  | "agent_error"
  | "simulator_error"
  /** A simulator from outside went before its first observation was answered. */
  | "simulator_left"
  | "timeout"
  | "cancelled"
  | "sibling_failed";
