import { formatDollars } from "../../base/dollars.ts";
import { SortieError } from "../../base/error.ts";
import { appendEvent } from "../../runs/events.ts";
import type { Desk } from "../desk.ts";
import { waitUntilGone } from "./destroy-instance.ts";
import { countDollars, type FailedTry, type Instance } from "./instance.ts";
import { changeInstance, findInstanceOf } from "./instance-store.ts";
import type { Vast } from "./open-account.ts";

/** A create whose reply was lost may take so long to be seen in the account. */
const LATE_MS = 15_000;
const LOOK_EVERY_MS = 1500;

/**
 * Destroys whatever a try to rent has left, by its number or by its label, and makes sure that it is gone. Nothing ever ran there.
 * @throws instance_still_there, and what asking the vendor throws
 */
export async function clearTry(
  desk: Desk,
  vast: Vast,
  run: string,
  { reason, mayBeLate = true }: { readonly reason: string; readonly mayBeLate?: boolean },
): Promise<void> {
  const instance = findInstanceOf(desk.store, run) as Instance;
  const numbers = await findLeft(desk, vast, instance, mayBeLate ? LATE_MS : 0);
  for (const number of numbers) {
    appendEvent(desk.store, run, "destroy_intended", { number, reason }, desk.clock.now());
    await vast.destroyInstance(number);
    if (!(await waitUntilGone(desk, vast, number)))
      throw new SortieError("instance_still_there", {
        number,
        price: formatDollars(instance.dollarsPerHour),
      });
    appendEvent(desk.store, run, "gone", { number }, desk.clock.now());
  }
  const dollars = numbers.length === 0 ? 0 : countDollars(instance, desk.clock.now());
  const earlier = numbers.map((number): FailedTry => ({ number, reason, dollars: dollars / numbers.length }));
  const isUnsure = numbers.length === 0 && mayBeLate;
  changeInstance(desk.store, run, {
    ...{ number: null, earlier: [...instance.earlier, ...earlier] },
    ...(isUnsure && { mayHaveMore: true }),
  });
}

/**
 * A number on record is one that the vendor has named: then another with the same label is somebody else's work, unless a reply
 * was lost before. Without one the label is looked for, also a little later.
 */
async function findLeft(
  desk: Desk,
  vast: Vast,
  { run, number, mayHaveMore = false }: Instance,
  lateMs: number,
): Promise<number[]> {
  if (number !== null && !mayHaveMore) return [number];
  const untilMs = desk.clock.monotonicMs() + lateMs;
  for (;;) {
    const labelled = (await vast.listInstances()).filter(({ label }) => label === run).map(({ id }) => id);
    const found = [...new Set([...labelled, ...(number === null ? [] : [number])])];
    if (found.length > 0 || desk.clock.monotonicMs() >= untilMs) return found;
    if (desk.leaving?.aborted) throw new SortieError("interrupted"); // it may be seen yet: whoever comes next looks again
    await desk.clock.sleep(LOOK_EVERY_MS, desk.leaving);
  }
}
