import { formatDollars } from "../../base/dollars.ts";
import { SortieError } from "../../base/error.ts";
import { appendEvent } from "../../runs/events.ts";
import { loadRun } from "../../runs/run-store.ts";
import { isEnded } from "../../runs/states.ts";
import type { Desk } from "../desk.ts";
import { countDollars, type Instance } from "./instance.ts";
import { changeInstance, listOpenInstances } from "./instance-store.ts";
import { keepEntry } from "./instances-file/keep-entry.ts";
import { openAccount, type Vast } from "./open-account.ts";
import type { OnRentStep } from "./rent-steps.ts";

/** An account takes its time to take a destroyed machine out of its list. */
const GONE_MS = 120_000;
const FIRST_PAUSE_MS = 500;
const MOST_PAUSE_MS = 10_000;

/**
 * Destroys exactly the instance on record, and reads the account until it is gone: only then it counts as gone. Whether it may
 * be destroyed has been decided before. @throws instance_still_there, and what asking the vendor throws
 */
export async function destroyInstance(desk: Desk, instance: Instance, onStep: OnRentStep): Promise<Instance> {
  const { run, number } = instance;
  if (instance.state === "gone") return instance;
  if (number === null) return putDown(desk, instance, onStep);
  const vast = openAccount(desk);
  if (instance.state !== "destroy_intended")
    changeInstance(desk.store, run, { state: "destroy_intended", keptFor: null });
  appendEvent(desk.store, run, "destroy_intended", { number }, desk.clock.now());
  onStep("destroy_intended");
  await vast.destroyInstance(number);
  appendEvent(desk.store, run, "destroyed", { number }, desk.clock.now());
  onStep("destroyed");
  if (!(await waitUntilGone(desk, vast, number)))
    throw new SortieError("instance_still_there", { number, price: formatDollars(instance.dollarsPerHour) });
  return putDown(desk, instance, onStep);
}

/** Whether the account says that it is gone. @throws interrupted, and what asking the vendor throws */
export async function waitUntilGone(
  { clock, leaving }: Pick<Desk, "clock" | "leaving">,
  vast: Pick<Vast, "loadInstance">,
  number: number,
): Promise<boolean> {
  const untilMs = clock.monotonicMs() + GONE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MOST_PAUSE_MS)) {
    if ((await vast.loadInstance(number)) === null) return true;
    if (leaving?.aborted) throw new SortieError("interrupted");
    if (clock.monotonicMs() > untilMs) return false;
    await clock.sleep(pauseMs, leaving);
  }
}

/** Others whose runs are over on it are rid of it as well. */
function putDown(desk: Desk, instance: Instance, onStep: OnRentStep): Instance {
  const { run, number } = instance;
  const mates = listOpenInstances(desk.store).filter((one) => one.number === number && one.run !== run);
  const over = number === null ? [] : mates.filter((mate) => isEnded(loadRun(desk.store, mate.run).state));
  for (const mate of over) recordGone(desk, mate);
  const gone = recordGone(desk, instance);
  onStep("gone");
  return gone;
}

function recordGone(desk: Desk, instance: Instance): Instance {
  const now = desk.clock.now();
  const gone = { ...instance, state: "gone" as const, goneAt: now.toISOString(), keptFor: null };
  changeInstance(desk.store, instance.run, gone);
  appendEvent(desk.store, instance.run, "gone", { dollars: countDollars(gone, now) }, now);
  keepEntry(desk, instance.run);
  return gone;
}
