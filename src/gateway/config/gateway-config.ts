import type { GatewayFlags, GatewayTimers } from "../gateway-flags.ts";
import type { ListenPlace } from "../listen.ts";
import type { ApiFlags } from "./behaviours.ts";

/** What an organiser wrote, checked and complete: every default is filled in, every path absolute. */
export interface GatewayConfig {
  /** The file that it was read from. */
  readonly file: string;
  /** Where database, keys and recordings lie. One gateway at a time works in it. */
  readonly dataFolder: string;
  /** Of API and tunnel. */
  readonly listen: ListenPlace;
  /** What job replies carry as `tunnel_endpoint`; undefined: made from the address that is listened on. */
  readonly publicUrl: string | undefined;
  /** Whether `X-Forwarded-For` names the client: only behind a proxy of one's own. */
  readonly trustProxy: boolean;
  /** Where outside simulators dial; undefined: not at all. */
  readonly policy: Readonly<Record<PolicyDialect, ListenPlace | undefined>>;
  readonly quota: QuotaConfig;
  /** Agents of a job at once, where the user's record says nothing else. */
  readonly parallelism: number;
  /** How often a case is begun before its job fails. */
  readonly caseAttempts: number;
  readonly boards: readonly BoardConfig[];
  readonly simulators: SimulatorLimits;
  readonly timers: GatewayTimers;
  readonly flags: GatewayFlags & ApiFlags;
  readonly recordings: RecordingConfig | undefined;
  /** Tries to log in within a minute, of one address; of one account ten times as many. */
  readonly loginsPerMinute: number;
}

export type PolicyDialect = "openpi" | "corobot";

export interface QuotaConfig {
  /** Jobs a day, where the user's record says nothing else. */
  readonly limit: number;
  /** The zone in which a day begins at 00:00: an IANA name or an offset, `+08:00`. */
  readonly timeZone: string;
}

export interface BoardConfig {
  readonly name: string;
  /** `opaque`: actions are not looked into. */
  readonly payload: "g2" | "openpi" | "opaque";
  readonly simulator: "echo" | "reach" | "outside";
  /** Observations in a case of a built-in simulator. */
  readonly steps: number;
  readonly tasks: readonly TaskConfig[];
}

export interface TaskConfig {
  readonly name: string;
  readonly cases: number;
  /** Of the first case; the next ones count on from it. */
  readonly seed: number;
}

export interface SimulatorLimits {
  /** Worker threads for built-in simulators: so many of their cases are played at once. */
  readonly workers: number;
  /** A case that takes longer is broken off (reason 3). */
  readonly caseTimeoutMs: number;
  /** An agent that owes an answer for longer loses its case. */
  readonly replyTimeoutMs: number;
  /** How long the score of a case from outside is waited for after its connection ended. */
  readonly scoreWaitMs: number;
}

export interface RecordingConfig {
  readonly folder: string;
  /** Of all recordings together; the oldest go first. */
  readonly maxBytes: number;
}
