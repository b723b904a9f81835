import type { AgentTimers } from "./agent-options.ts";

/** What is remembered from one dial to the next. */
export interface RedialState {
  /** Of the budget: how long no link was up, over all cuts since the last link that restored it. */
  readonly spentMs: number;
  /** A part of it was spent before a link that was up in between. */
  readonly isSummed: boolean;
  /** Dials that led to nothing since the last link that was up. */
  readonly failures: number;
  readonly overCaps: number;
  /** There was a link: there may be a session to come back to. */
  readonly hadLink: boolean;
  /** `trial`: a fresh id after a budget was spent. `used`: that one got a link, but not yet a stable one. */
  readonly freshId: "none" | "trial" | "used";
}

/**
 * What stands in the way of a link.
 * - `cut`: a link that was up ended. - `network`: nobody was reached. - `busy`: refused for now, a session of the pair is
 *   still taken for live, or a link ended before it was up. - `over_cap`: as many agents are connected as may be.
 */
export type Setback = "cut" | "network" | "busy" | "over_cap";

export type RedialStep =
  | { readonly kind: "wait"; readonly delayMs: number; readonly state: RedialState }
  | { readonly kind: "fresh_id"; readonly state: RedialState }
  | { readonly kind: "give_up" };

export const startOfRedials: RedialState = {
  spentMs: 0,
  isSummed: false,
  failures: 0,
  overCaps: 0,
  hadLink: false,
  freshId: "none",
};

export interface LinkCount {
  /** It carried something new, or lasted some seconds: else it is no more than a dial that failed late. */
  readonly isUp: boolean;
  /** It carried something new. */
  readonly hasServed: boolean;
  /** From the setback before it to its start. */
  readonly downMs: number;
  readonly lastedMs: number;
}

/**
 * A link that served for some seconds restores the budget, as each cut is one of its own. Of the time of any other that was
 * up, so much is paid back: a network that breaks off every few seconds is no reason to give up a job that goes on in
 * between, but one whose links carry nothing is.
 */
const PAID_BACK = 1 / 10;

/**
 * What to do after a setback. `downMs`: since the last setback, or the end of a link that was up. Over the cap nothing is
 * spent: the agent waits for its turn as long as it takes.
 */
export function chooseRedial(
  before: RedialState,
  setback: Setback,
  downMs: number,
  timers: AgentTimers,
  random: () => number,
): RedialStep {
  if (setback === "over_cap") {
    const delayMs = timers.overCapMs * Math.min(4, 2 ** before.overCaps);
    return { kind: "wait", delayMs: delayMs * jitter(random), state: countOverCap(before) };
  }
  const spentMs = before.spentMs + downMs;
  const leftMs = (before.freshId === "trial" ? timers.freshIdMs : timers.redialBudgetMs) - spentMs;
  if (leftMs <= 0) {
    const mayTry = before.hadLink && before.freshId === "none";
    return mayTry
      ? {
          kind: "fresh_id",
          state: { ...startOfRedials, isSummed: before.isSummed, hadLink: true, freshId: "trial" },
        }
      : { kind: "give_up" };
  }
  // Where nobody was reached, a dial costs nobody anything: the link is to be back within a second of the network.
  const mostMs = setback === "network" ? timers.redialMostMs / 5 : timers.redialMostMs;
  const fullMs = Math.min(timers.redialLeastMs * 2 ** Math.min(before.failures, 30), mostMs);
  const delayMs = Math.min(fullMs * jitter(random), leftMs);
  return { kind: "wait", delayMs, state: { ...before, spentMs, failures: before.failures + 1, overCaps: 0 } };
}

/** After a link that was more than a refusal. */
export function countLink(before: RedialState, link: LinkCount, timers: AgentTimers): RedialState {
  const { isUp, hasServed, downMs, lastedMs } = link;
  if (!isUp) return { ...before, hadLink: true };
  if (lastedMs >= timers.stableMs) return { ...startOfRedials, hadLink: true };
  const isNew = before.freshId === "trial";
  const isRestored = isNew || (hasServed && lastedMs >= timers.upMs);
  const spentMs = isRestored ? 0 : Math.max(0, before.spentMs + downMs - lastedMs * PAID_BACK);
  return {
    spentMs,
    isSummed: spentMs > 0,
    failures: 0,
    overCaps: 0,
    hadLink: true,
    freshId: isNew ? "used" : before.freshId,
  };
}

function countOverCap(before: RedialState): RedialState {
  return { ...before, overCaps: before.overCaps + 1 };
}

/** From half to the whole, so that agents that were cut together do not come back together. */
function jitter(random: () => number): number {
  return 0.5 + random() / 2;
}
