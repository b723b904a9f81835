import type { Clock } from "../../base/clock.ts";
import type { Job } from "../../gateway/gateway-options.ts";
import type { Cut, Exchange, Probe, SessionStory, Terms } from "./evidence.ts";
import type { Witness } from "./gateway-witness.ts";
import type { Studio } from "./make-studio.ts";
import type { RehearsalLimits } from "./rehearse-options.ts";

/** What every session of a rehearsal shares: what it plays with, what is put down, and who is where. */
export interface Scene {
  readonly clock: Clock;
  readonly job: Job;
  readonly witness: Witness;
  readonly studio: Studio;
  readonly terms: Terms;
  readonly limits: RehearsalLimits;
  readonly say: (text: string) => void;
  /** Aborts when the rehearsal is over, whoever still plays. */
  readonly over: AbortSignal;
  readonly exchanges: Exchange[];
  readonly sessions: SessionStory[];
  readonly probes: Probe[];
  readonly cuts: Cut[];
  /** How many sessions each agent id has begun. */
  readonly begun: Map<string, number>;
  /** Agents that do not answer: nothing more is tried with them. */
  readonly givenUp: Set<string>;
  /** Sessions that are being played, and those of them that wait for the others before the drain. */
  readonly playing: Set<string>;
  readonly waiting: Set<string>;
  /** Aborts when all that wait may go on, in one tick. */
  readonly release: AbortController;
  /** How many of those that waited have sent their last observation. */
  lastSent: number;
  /** How many agents may still come; asked before the drain. */
  readonly coming: () => number;
  /** Observations answered so far without any disturbance; undefined outside of that part. */
  steadyAnswers: number | undefined;
  lastNumber: number;
}

/** The scene before anything is played. */
export function makeScene(
  given: Pick<Scene, "clock" | "job" | "witness" | "studio" | "terms" | "limits" | "say" | "over" | "coming">,
): Scene {
  return {
    ...given,
    ...{ exchanges: [], sessions: [], probes: [], cuts: [], begun: new Map(), givenUp: new Set() },
    ...{ playing: new Set(), waiting: new Set(), release: new AbortController(), lastSent: 0 },
    ...{ steadyAnswers: undefined, lastNumber: 1_000_000 },
  };
}
