const POLL_MS = 1000;
const MAX_POLL_MS = 10_000;
/** A host that does not answer is asked less and less often, at least once in so long. */
const MAX_SILENT_MS = 60_000;
/** A host that was away for less is back before anybody could do something about it. */
const LONG_MS = 10 * 60_000;
/** So long without a word of a host the watcher stays for it; the next command starts it again. */
const GIVE_UP_MS = 7 * 24 * 60 * 60 * 1000;

/** How one piece of a lane's work ended; `failed` is a fault that may pass. */
export type LaneEnd = "answered" | "silent" | "failed";

/**
 * A strand of the watcher's work, for one host: it does one thing at a time, however long that takes, and holds up no
 * other.
 */
export interface Lane {
  /** What it does now; null: nothing. */
  busy: Promise<void> | null;
  dueMs: number;
  pauseMs: number;
  /** How its runs stood when it last looked. */
  seen: string;
  /** How often in a row it has failed. */
  faults: number;
  /** The last fault. */
  fault: unknown;
  /** Since when its host has not answered; null: it did at last. */
  silentSinceMs: number | null;
}

export function makeLane(): Lane {
  return { busy: null, dueMs: 0, pauseMs: POLL_MS, seen: "", faults: 0, fault: null, silentSinceMs: null };
}

/** Nothing is in hand, and either its time has come, or its runs stand otherwise than it left them. */
export function isDue(lane: Lane, seen: string, nowMs: number): boolean {
  return lane.busy === null && (nowMs >= lane.dueMs || seen !== lane.seen);
}

/** Puts down how the work ended, and when the next is due. `mostMs`: what waits there is not kept waiting for longer. */
export function endWork(
  lane: Lane,
  end: LaneEnd,
  { seen, mostMs, fault, nowMs }: { seen: string; mostMs: number; fault?: unknown; nowMs: number },
): void {
  const hasNews = end === "answered" && (seen !== lane.seen || lane.silentSinceMs !== null);
  if (end === "silent") lane.pauseMs = Math.min(lane.pauseMs * 2, MAX_SILENT_MS);
  else if (hasNews) lane.pauseMs = POLL_MS;
  else lane.pauseMs = Math.min(lane.pauseMs * 1.3, MAX_POLL_MS);
  if (end === "answered") lane.pauseMs = Math.min(lane.pauseMs, mostMs);
  lane.silentSinceMs = end === "silent" ? (lane.silentSinceMs ?? nowMs) : null;
  lane.fault = fault;
  lane.faults = end === "failed" ? lane.faults + 1 : 0;
  lane.seen = seen;
  lane.dueMs = nowMs + lane.pauseMs;
}

/** Its host has not answered for so long that nobody need wait for it. */
export function isGivenUp(lane: Lane | undefined, nowMs: number): boolean {
  return isSilentFor(lane, nowMs, GIVE_UP_MS);
}

/** Its host has not answered for so long that the person should know. */
export function isLongSilent(lane: Lane | undefined, nowMs: number): boolean {
  return isSilentFor(lane, nowMs, LONG_MS);
}

function isSilentFor(lane: Lane | undefined, nowMs: number, ms: number): boolean {
  return lane !== undefined && lane.silentSinceMs !== null && nowMs - lane.silentSinceMs > ms;
}
