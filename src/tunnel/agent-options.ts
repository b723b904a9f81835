import type { Clock } from "../base/clock.ts";
import type { SortieError } from "../base/error.ts";
import type { PayloadKind } from "../payload/observation.ts";
import type { AgentState } from "../wire/agent-states.ts";
import type { FrameHandler } from "../wire/handler.ts";
import type { AgentReport } from "./agent-report.ts";

/** All that an agent needs; what is optional has the default that it names. */
export interface AgentOptions {
  /** The gateway's endpoint, `ws:` or `wss:`; a query that it has is kept. */
  readonly gatewayUrl: string;
  readonly jobUuid: string;
  /** At most 64 bytes of UTF-8. Default: a new UUID, version 4. */
  readonly agentId?: string;
  /** The agent id was chosen by a person, so that another process may have it too. Default: where an id was given. */
  readonly mayBeTaken?: boolean;
  /** The bearer token: a job token, or a JWT. */
  readonly token: string;
  /**
   * Asked after a 401: a new token, or undefined where there is none, which is final. Where it rejects, it is asked again at
   * the next dial. A token that is refused as a new one is final too. Default: a 401 is final.
   */
  readonly refreshToken?: () => Promise<string | undefined>;
  /** Stopped by the agent at its end, whatever the end is. */
  readonly handler: FrameHandler;
  /** What replies are checked as. Default: what the first observation is. */
  readonly payload?: PayloadKind;
  /** False lets every reply pass unchecked. Default: true. */
  readonly validate?: boolean;
  /** Closes the link with 1002 over a malformed frame instead of dropping the frame. Default: false. */
  readonly strictFrames?: boolean;
  /** What a failing handler is told as: an error envelope, or the end of the session. Default: `error`. */
  readonly onFault?: "error" | "close";
  /** What follows when the link is up after a resume and nothing comes any more. Default: `wait`, which is said. */
  readonly onStall?: "wait" | "fresh-id";
  /** The URL of a proxy to dial through. Default: none, whatever the environment says. */
  readonly proxyUrl?: string;
  /** Default: the values of `agentTimers`. */
  readonly timers?: Partial<AgentTimers>;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** From 0 to below 1, for jitter. Default: Math.random. */
  readonly random?: () => number;
  readonly onEvent?: (event: AgentEventRecord) => void;
  readonly onLog?: (line: AgentLogLine) => void;
}

/** All in milliseconds. */
export interface AgentTimers {
  /** From one own ping to the next. */
  readonly pingMs: number;
  /** No byte within this time after an own ping: the link is dead. */
  readonly pongMs: number;
  /** No ping for this time from a gateway that pinged before: the link is dead. */
  readonly gatewayPingMs: number;
  readonly dialMs: number;
  /** How long redials go on while no link is up, summed over cuts. */
  readonly redialBudgetMs: number;
  /** A link that lasted this long, or carried something new, was up; the time of any other counts as down. */
  readonly upMs: number;
  /** A link that lasted this long restores the budget, also when it carried nothing; one that did needs `upMs`. */
  readonly stableMs: number;
  readonly redialLeastMs: number;
  readonly redialMostMs: number;
  /** How long a fresh id is tried after the budget is spent. */
  readonly freshIdMs: number;
  /** A close within this time after the 101 is a refusal: over the cap, or a pair that is still live. */
  readonly refusalMs: number;
  /** How long a pair that had a link may still be taken for live by its gateway. */
  readonly pairLiveMs: number;
  /** The pause over the cap; it doubles up to four times this. */
  readonly overCapMs: number;
  /**
   * After a resume without word of the gateway: how long a new observation is waited for before the last reply is sent
   * again.
   */
  readonly evidenceMs: number;
  /** A resumed link without a frame for this long is a stall. */
  readonly stallMs: number;
  /** After a drain: how long what is in flight may take. */
  readonly drainMs: number;
}

/** PROTOCOL: ping and pong 20 s and 10 s, read deadline 45 s and reconnect window 30 s of the gateway. */
export const agentTimers: AgentTimers = {
  pingMs: 20_000,
  pongMs: 10_000,
  gatewayPingMs: 45_000,
  dialMs: 15_000,
  redialBudgetMs: 75_000,
  upMs: 3_000,
  stableMs: 60_000,
  redialLeastMs: 250,
  redialMostMs: 5_000,
  freshIdMs: 15_000,
  refusalMs: 1_000,
  pairLiveMs: 75_000,
  overCapMs: 15_000,
  evidenceMs: 250,
  stallMs: 180_000,
  drainMs: 60_000,
};

export interface Agent {
  readonly agentId: string;
  readonly state: AgentState;
  /** Resolves when the socket is closed and the handler ended; never rejects. */
  readonly ended: Promise<AgentEnd>;
  /** Ends at once, without waiting for what is in flight. Calling it again changes nothing. */
  stop(): Promise<AgentEnd>;
}

export interface AgentEnd {
  readonly outcome: "drained" | "stopped" | "failed";
  /** There when it failed. */
  readonly error?: SortieError;
  readonly report: AgentReport;
}

export interface AgentLogLine {
  readonly level: "info" | "warn" | "error";
  /** Fit to be printed on a terminal; no token in it. */
  readonly text: string;
}

/** One line of the events file; what does not belong to it is null. The times are milliseconds of one answered frame. */
export interface AgentEventRecord {
  /** ISO 8601, UTC. */
  readonly t: string;
  readonly type: "state" | "frame" | "fault" | "session" | "link" | "notice";
  readonly agentId: string;
  readonly state: AgentState;
  readonly sessionId: string | null;
  readonly queueMs: number | null;
  readonly handlerMs: number | null;
  readonly checkMs: number | null;
  /** Null also where no link took the reply. */
  readonly sendMs: number | null;
  /** What happened, in words. */
  readonly detail: string | null;
}
