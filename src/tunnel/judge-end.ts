import { findCloseWord } from "../wire/close-codes.ts";
import type { AgentTimers } from "./agent-options.ts";
import type { LinkEnd } from "./link.ts";

/**
 * - `cut`: a link that was one ended. - `own_pair`: refused, as our old link still counts as live. - `pair_taken`: refused,
 *   as another process has the pair. - `pair_expired`: its window is over. - `silent`: a pair that had a link is refused
 *   without a word: one of these three, or the cap.
 */
export type EndVerdict = "cut" | "own_pair" | "pair_taken" | "pair_expired" | "over_cap" | "silent";

export interface PairHistory {
  /** Since the pair's last real link ended; undefined where it never had one. */
  readonly sinceLinkMs: number | undefined;
  /** How often in a row a connection just ended right after the 101, without a close frame. */
  readonly bareEnds: number;
}

/** The code where the connection ended without a close frame. */
const NO_CLOSE_FRAME = 1006;

/**
 * What the end of a connection means. Our codes count where it was none: at the end of a link the platform may use them
 * for anything. Silence is judged by what went before.
 */
export function judgeEnd(end: LinkEnd, pair: PairHistory, timers: AgentTimers): EndVerdict {
  if (!isRefusal(end, timers)) return "cut";
  const hadLink = pair.sinceLinkMs !== undefined;
  const word = findCloseWord(end.code);
  if (word === "over_cap" || word === "pair_expired") return word;
  if (word === "duplicate")
    return hadLink && pair.sinceLinkMs < timers.pairLiveMs ? "own_pair" : "pair_taken";
  // A network may break off at this moment too, also at each of the dials after a cut; at a first dial hardly twice.
  if (end.code === NO_CLOSE_FRAME && (hadLink || pair.bareEnds === 0)) return "cut";
  return hadLink ? "silent" : "over_cap";
}

/**
 * Whether the gateway says that a connection was none, so that whatever went over it did not arrive. Every other end leaves
 * that open, also the one right after the 101: a reply may have got there before the network broke off.
 */
export function isToldRefusal(end: LinkEnd, timers: AgentTimers): boolean {
  const word = isRefusal(end, timers) ? findCloseWord(end.code) : undefined;
  return word === "over_cap" || word === "duplicate" || word === "pair_expired";
}

/** Whether a connection seems to have been ended by its gateway before it was a link. */
export function isRefusal({ hadSign, lastedMs, says }: LinkEnd, { refusalMs }: AgentTimers): boolean {
  return !hadSign && lastedMs < refusalMs && says === undefined;
}
