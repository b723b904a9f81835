import type { Target } from "../../targets/target.ts";
import { ATTENDED_MARK, GUARD_FOLDER } from "../../targets/vast/guard/make-guard.ts";
import { makeMark } from "../../targets/vast/guard/make-mark.ts";
import type { Desk } from "../desk.ts";
import { makeTarget, type TargetAddress } from "../find-target.ts";
import { findInstanceOf } from "./instance-store.ts";

const BEAT_MS = 60_000;

/**
 * Does what may take long on a run's machine: meanwhile its guard is told every minute that somebody from home is there, and
 * stops nothing for want of that. Where there is no guard it is just done.
 */
export async function attendMachine<Result>(
  desk: Desk,
  { run, address }: { readonly run: string; readonly address: TargetAddress },
  work: () => Promise<Result>,
): Promise<Result> {
  const { ask } = makeTarget(desk, address);
  if (ask === null || !findInstanceOf(desk.store, run)?.isGuarded) return work();
  const over = new AbortController();
  const beats = beat(desk, ask, over.signal);
  try {
    return await work();
  } finally {
    over.abort();
    await beats;
  }
}

/** Each text differs from the one before: that is what the guard looks for. */
async function beat(
  { clock }: Pick<Desk, "clock">,
  ask: NonNullable<Target["ask"]>,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    try {
      const text = clock.now().toISOString();
      await ask(makeMark({ mark: ATTENDED_MARK, folder: GUARD_FOLDER, text }));
    } catch {
      // a host that does not answer keeps the work itself from going on, which then says so
    }
    await clock.sleep(BEAT_MS, over);
  }
}
