import type { RunRecord } from "../runs/run-record.ts";
import type { Desk } from "./desk.ts";
import { mayCostMore } from "./rent/instance.ts";
import { findInstanceOf } from "./rent/instance-store.ts";

/** What a host has refused so often it will not give later, unless somebody pays for it to stay. */
const MOST_TRIES = 5;
const FIRST_PAUSE_MS = 2000;
const MOST_PAUSE_MS = 10 * 60_000;

/** How bringing runs home has gone so far, by their ids. */
export type CollectTries = Map<string, CollectTry>;

interface CollectTry {
  readonly times: number;
  /** By the clock that does not jump. */
  readonly dueMs: number;
  /** Nobody tries any more. */
  readonly isOver: boolean;
}

/** Whether bringing the run home has not failed for good. */
export function mayComeHome(tries: CollectTries, { id }: Pick<RunRecord, "id">): boolean {
  return tries.get(id)?.isOver !== true;
}

/** Whether that is to be tried now. */
export function isTryDue(
  desk: Pick<Desk, "clock">,
  tries: CollectTries,
  run: Pick<RunRecord, "id">,
): boolean {
  return mayComeHome(tries, run) && desk.clock.monotonicMs() >= (tries.get(run.id)?.dueMs ?? 0);
}

/**
 * Puts down that it has failed once more. What lies on a machine that is rented under a cap is tried again at growing pauses until
 * that is spent, and then a last time.
 */
export function countTry(desk: Desk, tries: CollectTries, { id }: Pick<RunRecord, "id">): void {
  const times = (tries.get(id)?.times ?? 0) + 1;
  const instance = findInstanceOf(desk.store, id);
  if (instance === null || instance.mostDollars === null) {
    tries.set(id, { times, dueMs: 0, isOver: times >= MOST_TRIES });
    return;
  }
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (times - 1), MOST_PAUSE_MS);
  const isOver = !mayCostMore(instance, desk.clock.now());
  tries.set(id, { times, dueMs: desk.clock.monotonicMs() + pauseMs, isOver });
}
