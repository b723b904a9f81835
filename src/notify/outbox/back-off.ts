import type { ChannelState } from "./outbox.ts";

const FIRST_MS = 10_000;
const MOST_MS = 15 * 60_000;
/** What a server wants may be more than we would give it, within reason. */
const MOST_ASKED_MS = 60 * 60_000;

/** The longest that anything in the outbox has to wait for. */
export const LONGEST_PAUSE_MS = MOST_ASKED_MS;

/** The channel after a try that found it in trouble: left alone twice as long each time. */
export function pauseChannel(state: ChannelState, nowMs: number, askedMs = 0): ChannelState {
  const ownMs = Math.min(FIRST_MS * 2 ** Math.min(state.faults, 10), MOST_MS);
  const pauseMs = Math.max(ownMs, Math.min(askedMs, MOST_ASKED_MS));
  return { ...state, faults: state.faults + 1, pausedUntilMs: nowMs + pauseMs };
}

/** The channel after a try that found it in order. */
export function resumeChannel(state: ChannelState): ChannelState {
  return { ...state, faults: 0, pausedUntilMs: 0 };
}

/** Until when it is left alone; null: it is not. A clock that was set back must not stop it for hours. */
export function findPause({ pausedUntilMs }: ChannelState, nowMs: number): number | null {
  const isPaused = pausedUntilMs > nowMs && pausedUntilMs - nowMs <= LONGEST_PAUSE_MS;
  return isPaused ? pausedUntilMs : null;
}
