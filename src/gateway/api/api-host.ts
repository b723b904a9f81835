import type { Clock } from "../../base/clock.ts";
import type { Store } from "../../store/store.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";

/** What the challenge API needs of the gateway that it is a face of. */
export interface ApiHost {
  readonly config: GatewayConfig;
  readonly records: Store;
  readonly clock: Clock;
  /** Signs logins and links. */
  readonly signingKey: Uint8Array;
  /** What agents dial. */
  tunnelEndpoint(): string;
  /** A job was recorded: its agents may dial from now on, or within a second. Never throws. */
  openJob(id: number): void;
  /** What a job does now; undefined: it has ended. */
  findLiveJob(id: number): LiveJob | undefined;
  /** Takes the score that a simulator from outside gives to a case. */
  scoreCase(caseId: number, score: CaseScore): ScoreOutcome;
  /** Whether simulators from outside need no key: only on loopback. */
  readonly openSimulators: boolean;
  /** Counts a request and its answer. */
  countRequest(request: AnsweredRequest): void;
  /** Counts a login that was refused: a wrong password, or too many tries. */
  countLoginRefused(why: "wrong" | "too_many"): void;
  /** Tells the organiser of a fault of the gateway's own: the client is told only that there was one. */
  reportFault(fault: unknown): void;
  /** The file of a recording, or undefined where it is gone. */
  findRecording(file: string): string | undefined;
}

export interface AnsweredRequest {
  readonly method: string;
  /** As it was declared, never as it was asked: what people type has no end. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

export interface LiveJob {
  /** Agents that are connected. */
  readonly connected: number;
  /** Cases that are being played. */
  readonly playing: number;
}

export interface CaseScore {
  /** From 0 to 1. */
  readonly score: number;
  readonly steps?: number;
  readonly detail?: string;
}

/**
 * `kept`: another score came first. `too_early`: nobody has begun the case. `over`: it ended otherwise. `leaving`:
 * nothing is written any more.
 */
export type ScoreOutcome = "taken" | "same" | "kept" | "too_early" | "over" | "leaving";
