import type { PaceLimit } from "../notifier.ts";
import type { ChannelState } from "./outbox.ts";

const LONGEST_MS = 60_000;

/** When the channel may be used next, and its state with that use put down. */
export function reserveSend(
  state: ChannelState,
  { nowMs, limits }: { readonly nowMs: number; readonly limits: readonly PaceLimit[] },
): { readonly atMs: number; readonly state: ChannelState } {
  // A clock that was set back leaves times of the far future: they say nothing.
  const sends = state.sendsMs
    .filter((sendMs) => Math.abs(sendMs - nowMs) <= LONGEST_MS)
    .sort((a, b) => a - b);
  const atMs = limits.reduce((earliestMs, { calls, withinMs }) => {
    const bound = sends.at(-calls);
    return bound === undefined ? earliestMs : Math.max(earliestMs, bound + withinMs);
  }, nowMs);
  return { atMs, state: { ...state, sendsMs: [...sends, atMs] } };
}
