import { findCloseWord } from "../wire/close-codes.ts";
import type { AgentTimers } from "./agent-options.ts";
import type { LinkEnd } from "./link.ts";

/**
 * - `cut`: a link that was one ended. - `own_pair`: refused, as our old link still counts as live. - `pair_taken`: refused,
 *   as another process has the pair. - `pair_expired`: its window is over. - `job_over`: nothing more is to be done.
 */
export type EndVerdict = "cut" | "own_pair" | "pair_taken" | "pair_expired" | "over_cap" | "job_over";

export interface PairHistory {
  /** Since the pair's last real link ended; undefined where it never had one. */
  readonly sinceLinkMs: number | undefined;
  /** How often in a row a connection just ended right after the 101, without a close frame. */
  readonly bareEnds: number;
}

/** The code where the connection ended without a close frame. */
const NO_CLOSE_FRAME = 1006;

/** What the end of a connection means. The platform's close codes are unknown: silence is judged by what went before. */
export function judgeEnd(end: LinkEnd, pair: PairHistory, timers: AgentTimers): EndVerdict {
  const isLive = pair.sinceLinkMs !== undefined && pair.sinceLinkMs < timers.pairLiveMs;
  const word = findCloseWord(end.code);
  if (word === "over_cap" || word === "pair_expired" || word === "job_over") return word;
  if (word === "duplicate") return isLive ? "own_pair" : "pair_taken";
  if (!isRefusal(end, timers)) return "cut";
  // A network may break off at this moment too, also at each of the dials after a cut; at a first dial hardly twice.
  if (end.code === NO_CLOSE_FRAME && (isLive || pair.bareEnds === 0)) return "cut";
  return isLive ? "own_pair" : "over_cap";
}

/**
 * Whether the gateway says that a connection was none, so that whatever went over it did not arrive. Every other end leaves
 * that open, also the one right after the 101: a reply may have got there before the network broke off.
 */
export function isToldRefusal({ code }: LinkEnd): boolean {
  const word = findCloseWord(code);
  return word === "over_cap" || word === "duplicate" || word === "pair_expired";
}

/** Whether a connection seems to have been ended by its gateway before it was a link. */
export function isRefusal({ hadSign, lastedMs, says }: LinkEnd, { refusalMs }: AgentTimers): boolean {
  return !hadSign && lastedMs < refusalMs && says === undefined;
}
