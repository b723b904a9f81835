import type { RunState } from "../../runs/states.ts";
import { isEnded } from "../../runs/states.ts";
import type { Fleet } from "./fleet.ts";

/** What is known of one agent when the next step is chosen. Times in milliseconds since 1970. */
export interface SeatSeen {
  readonly number: number;
  readonly runState: RunState;
  /** An attempt of it was started. */
  readonly hasStarted: boolean;
  /** The attempt that runs, or was the last, was up once. */
  readonly wasReady: boolean;
  /** It was told to drain, or has ended drained. */
  readonly isDrained: boolean;
  readonly startedAtMs: number | null;
  /** It was killed, and waits to be started again. */
  readonly isRestart: boolean;
  /** It is not started before. */
  readonly notBeforeMs: number | null;
}

export type NextStep =
  /** Nothing of the fleet lives any more. */
  | { readonly do: "over" }
  /** The first of these that can be; an agent whose GPU others hold is passed over. */
  | { readonly do: "start"; readonly numbers: readonly number[] }
  /** Those that wait are not started any more. */
  | { readonly do: "dismiss"; readonly why: string }
  | { readonly do: "wait"; readonly why: string | null };

const nothing: NextStep = { do: "wait", why: null };

/**
 * What a fleet needs now. The first agent is alone until it is ready; then each next is started when no other is loading,
 * or `staggerS` after the start before it: memory while checkpoints load is what runs out. After a drain nothing is
 * started, neither for the first time nor again.
 */
export function chooseNext(
  fleet: Pick<Fleet, "state" | "runner" | "staggerS">,
  seats: readonly SeatSeen[],
  nowMs: number,
): NextStep {
  const live = seats.filter(({ runState }) => !isEnded(runState));
  if (live.length === 0) return { do: "over" };
  const waiting = live.filter(({ runState }) => runState === "waiting");
  if (waiting.length === 0) return nothing;
  const end = findEndOfStarts(fleet, seats);
  if (end !== null) return { do: "dismiss", why: end };
  if (live.some(({ runState }) => runState === "preparing" || runState === "planned")) return nothing;
  return findHold(fleet, { seats, live, waiting, nowMs }) ?? chooseStart(waiting, nowMs);
}

function findEndOfStarts({ state }: Pick<Fleet, "state">, seats: readonly SeatSeen[]): string | null {
  if (state === "draining") return "the fleet is ending";
  if (seats.some(({ isDrained }) => isDrained)) return "the job is being drained";
  const [first] = seats;
  const isAlone = seats.filter(({ hasStarted }) => hasStarted).length <= 1;
  if (first !== undefined && isAlone && isEnded(first.runState) && !first.wasReady)
    return "the first agent ended before it was ready";
  return null;
}

interface Scene {
  readonly seats: readonly SeatSeen[];
  readonly live: readonly SeatSeen[];
  readonly waiting: readonly SeatSeen[];
  readonly nowMs: number;
}

/** What must be waited for before anything is started; null: nothing. */
function findHold({ runner, staggerS }: Pick<Fleet, "runner" | "staggerS">, scene: Scene): NextStep | null {
  const { seats, live, waiting, nowMs } = scene;
  const killed = waiting.find(({ isRestart, notBeforeMs }) => isRestart && (notBeforeMs ?? 0) > nowMs);
  if (killed) return { do: "wait", why: `agent ${killed.number} is started again first` };
  const loading = live.filter(({ runState, wasReady }) => runState === "running" && !wasReady);
  const [first] = loading;
  if (first === undefined) return null;
  const isProven =
    seats.some(({ wasReady }) => wasReady) || seats.some((seat) => seat.number > 1 && seat.hasStarted);
  const isStaggered = staggerS !== null && (isProven || runner.kind === "script");
  if (isStaggered && nowMs - findLastStart(live) >= staggerS * 1000) return null;
  const patience = isStaggered ? `, or ${staggerS} s after its start` : "";
  return { do: "wait", why: `until agent ${first.number} is ready${patience}` };
}

function findLastStart(seats: readonly SeatSeen[]): number {
  return Math.max(...seats.map(({ startedAtMs }) => startedAtMs ?? 0));
}

/** Those that were killed come first: their sessions wait for them at the gateway, for a while. */
function chooseStart(waiting: readonly SeatSeen[], nowMs: number): NextStep {
  const due = waiting.filter(({ notBeforeMs }) => (notBeforeMs ?? 0) <= nowMs);
  if (due.length === 0) return nothing;
  const ordered = [...due.filter(({ isRestart }) => isRestart), ...due.filter(({ isRestart }) => !isRestart)];
  return { do: "start", numbers: ordered.map(({ number }) => number) };
}
