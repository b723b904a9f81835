import type { Clock } from "../../base/clock.ts";
import type { PayloadKind } from "../../payload/observation.ts";
import type { Environment } from "../desk.ts";

/** What is rehearsed, and how. */
export interface RehearseOptions {
  /** As `sortie agent --handler` takes it. Agents of another kind get it as SORTIE_HANDLER. */
  readonly handler?: string;
  /**
   * Any other agent, as shell text: called with a GPU (or `cpu`), the job's UUID and the gateway's URL behind it. Default:
   * Sortie's own agent, which needs a handler.
   */
  readonly agentCommand?: string;
  readonly agents: number;
  readonly board: string;
  readonly payload: PayloadKind;
  readonly budgetMs: number;
  /** The interpreter of a Python handler. Default: as the agent chooses it. */
  readonly python?: string;
  /** GPUs for the agents in turn, or `cpu`. Default: free ones, as far as there are; `cpu` for agents of another kind. */
  readonly gpus?: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  /** How to start this same Sortie again. */
  readonly self: readonly string[];
  /** Where logs, events and the result are left. Default: nowhere. */
  readonly keepFolder?: string;
  readonly limits?: Partial<RehearsalLimits>;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** What is being done, and how long after the start, for people who wait. */
  readonly onProgress?: (text: string, atMs: number) => void;
  /** Breaks it off: everything that it started is ended, and there is no result. */
  readonly signal?: AbortSignal;
}

/** Times in milliseconds. */
export interface RehearsalLimits {
  /** From the start of an agent to its `ready`. */
  readonly loadMs: number;
  /** The longest wait for one answer. */
  readonly replyMs: number;
  /** From one ping of the gateway to the next. */
  readonly pingMs: number;
  readonly pongMs: number;
  /** How long an agent has to come back. The platform gives 30 s; a redial that is due takes far less. */
  readonly windowMs: number;
  /** After a resume an answer is waited for so long before a second warm-up is tried; slow handlers get more. */
  readonly resumeMs: number;
  /** How long an answer that nobody asked for is listened for. */
  readonly quietMs: number;
  readonly drainMs: number;
  /** The part without disturbances lasts so long, within these numbers of observations. */
  readonly steadyMs: number;
  readonly steadyLeast: number;
  readonly steadyMost: number;
  /** From one look at the memory of the agents to the next. */
  readonly lookMs: number;
  /** `real`: pictures as detailed as a board's, and depth. `flat`: of the same size in pixels, but empty. */
  readonly pictures: "real" | "flat";
}

export const rehearsalLimits: RehearsalLimits = {
  loadMs: 300_000,
  replyMs: 60_000,
  pingMs: 250,
  pongMs: 3_000,
  windowMs: 10_000,
  resumeMs: 2_000,
  quietMs: 400,
  drainMs: 10_000,
  steadyMs: 2_000,
  steadyLeast: 8,
  steadyMost: 100,
  lookMs: 100,
  pictures: "real",
};

/** All other waits for an answer: of the other sessions, and of cuts after which an agent may take a few times as long. */
const OTHER_ANSWERS = 40;
const CUTS = 2;

/** No rehearsal takes longer, whatever its agents do: every wait in it comes to its end by then. In milliseconds. */
export function findLongestMs(limits: RehearsalLimits): number {
  const { loadMs, replyMs, windowMs, steadyMs, steadyLeast, drainMs } = limits;
  return loadMs + (steadyLeast + OTHER_ANSWERS) * replyMs + CUTS * windowMs + steadyMs + 2 * drainMs;
}
