import type { PayloadKind } from "../../payload/observation.ts";
import type { Issue } from "../../payload/rule.ts";

/** All that a rehearsal saw. What is judged is judged from this alone. Times are milliseconds from its start. */
export interface Evidence {
  readonly terms: Terms;
  /** One for each agent that was started, by number. */
  readonly processes: readonly ProcessStory[];
  /** One for each agent id that dialled, in the order of their first dials. */
  readonly tunnels: readonly TunnelStory[];
  /** Every observation that was sent, in order. */
  readonly exchanges: readonly Exchange[];
  readonly sessions: readonly SessionStory[];
  readonly probes: readonly Probe[];
  readonly cuts: readonly Cut[];
  /** Commands of processes that were still there after the agent that started them. */
  readonly leftovers: readonly string[];
}

/** What was asked for, and how long is waited for what. */
export interface Terms {
  readonly agents: number;
  readonly board: string;
  readonly payload: PayloadKind;
  /** A soft limit for an answer. */
  readonly budgetMs: number;
  /** From the start of an agent to its `ready`. */
  readonly loadMs: number;
  /** The longest wait for one answer. */
  readonly replyMs: number;
  /** How long an agent has to come back after a cut. */
  readonly windowMs: number;
  /** The longest silence of a link whose gateway pings. */
  readonly pongMs: number;
  /** From `drain` to the end of the process. */
  readonly drainMs: number;
}

/** One agent process. */
export interface ProcessStory {
  readonly number: number;
  /** Why it could not be started. */
  readonly notStarted?: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly endedAtMs?: number;
  /** It did not end by itself: the rehearsal ended it. */
  readonly wasStopped: boolean;
  /** The last lines of its output. */
  readonly logTail: readonly string[];
  /** The token stood in the arguments of the process or of one that it started. */
  readonly showsToken: boolean;
  readonly logsToken: boolean;
  readonly memory: readonly MemorySample[];
}

/** What one process of an agent's tree held while observations of equal size were answered. */
export interface MemorySample {
  readonly pid: number;
  /** The agent itself, not its handler. */
  readonly isRoot: boolean;
  readonly bytes: number;
  /** Observations that the agents had answered in all. */
  readonly answered: number;
}

/** What an agent was doing, or was being tried with, when something happened. */
export type Activity = "warm_up" | "observation" | "idle" | "cut" | "drain" | "stop" | ProbeKind;

/** What the gateway saw of one agent id over all its links. */
export interface TunnelStory {
  readonly agentId: string;
  /** Dials that were taken. */
  readonly dialedAtMs: readonly number[];
  readonly refusals: readonly Refusal[];
  readonly warmedAtMs?: number;
  readonly readyAtMs?: number;
  readonly closes: readonly Close[];
  /** When `drain` was sent, and whether an observation was in flight then. */
  readonly drain?: { readonly atMs: number; readonly wasInFlight: boolean };
  /** The longest silence of a live link from pong to pong. */
  readonly longestSilenceMs: number;
  /** Messages before `ready` that meant nothing: most likely a `ready` before its warm-up. */
  readonly earlyReadies: number;
  /** Text frames that are no control message of an agent, while an observation waited. */
  readonly textReplies: number;
  /** Replies under the id of a session that is not open. */
  readonly strayReplies: number;
  /** Replies that no observation waited for. */
  readonly surplusReplies: number;
  /** Such replies in a session whose link had been cut. */
  readonly surplusAfterCut: number;
  readonly malformedFrames: number;
}

export interface Refusal {
  readonly atMs: number;
  /** As the gateway names it: `bad_token`, `over_cap`, `job_over`… */
  readonly why: string;
}

export interface Close {
  readonly atMs: number;
  /** Of the close frame; 1006: there was none. */
  readonly code: number;
  readonly during: Activity;
}

/** The sessions of every agent, one after another on the same tunnel: the parts of a rehearsal. */
export const stages = ["first", "second", "steady", "drain"] as const;

export type Stage = (typeof stages)[number];

/** One session of one agent. */
export interface SessionStory {
  readonly agentId: string;
  readonly stage: Stage;
  /** All that belongs to it was played, and answered. */
  readonly isWhole: boolean;
}

/** One observation and its answer. */
export interface Exchange {
  readonly agentId: string;
  readonly stage: Stage;
  /** The very first observation of this agent. */
  readonly isFirst: boolean;
  /** Begins an episode: with depth pictures, without history. */
  readonly isOpening: boolean;
  /** Byte-equal to the one before. */
  readonly isRepeat: boolean;
  /** The link was cut while it was on its way. */
  readonly wasCut: boolean;
  /** A cut lies between the beginning of its session and it. */
  readonly isAfterCut: boolean;
  readonly bytes: number;
  readonly sentAtMs: number;
  /** `lost`: its session or the agent ended first. `late`: no answer within the longest wait. */
  readonly outcome: "answered" | "late" | "lost";
  /** Of what was answered. */
  readonly latencyMs?: number;
  readonly replyBytes?: number;
  /** Rules that the answer breaks. */
  readonly issues: readonly Issue[];
  /** The `policy_rng` of the answer: the observation's own, another one, or none. */
  readonly echo?: "same" | "other" | "none";
}

/** Frames that no job sends, or that change nothing. */
export type ProbeKind =
  | "unknown_control"
  | "junk_control"
  | "second_queued"
  | "empty_frame"
  | "malformed_frame";

export interface Probe {
  readonly agentId: string;
  readonly kind: ProbeKind;
  readonly atMs: number;
  /** The observation after it was answered over the same link. */
  readonly survived: boolean;
  /** What came back at once. */
  readonly answer: "nothing" | "empty" | "data";
}

/** A link that was cut on purpose. */
export interface Cut {
  readonly agentId: string;
  readonly when: "in_handler" | "after_reply";
  /** From the cut to the dial that took the session up again; undefined: it never came. */
  readonly backAfterMs?: number;
  /** Answers to observations came only after a second `warmup`. */
  readonly neededWarmUp: boolean;
  /** The observation in flight, or else the next one, was answered. */
  readonly wasAnswered: boolean;
}
