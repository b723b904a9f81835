import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../../base/error.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { loadRun } from "../../runs/run-store.ts";
import { isEnded } from "../../runs/states.ts";
import { takeKernelLock } from "../../store/kernel-lock.ts";
import type { Desk } from "../desk.ts";
import { destroyInstance } from "./destroy-instance.ts";
import { findStrangers } from "./find-strangers.ts";
import { type Instance, mayCostMore } from "./instance.ts";
import { findInstanceOf, listOpenInstances } from "./instance-store.ts";
import { keepInstance } from "./keep-instance.ts";
import { markCollected } from "./mark-collected.ts";
import type { OnRentStep } from "./rent-steps.ts";

const LOOK_EVERY_MS = 300;

/**
 * What becomes of the rented machine of a run that is over. It is destroyed where that was agreed on, and only if nothing speaks
 * against it: the run has ended, what it made is home and equal by hash, and nobody else works there. Whatever is in doubt is
 * left alone, and the reason is on record. Doing it twice, or at once by two, is harmless. null: the run is on no such machine.
 * @throws instance_still_there, and what asking the vendor throws
 */
export async function tearDown(
  desk: Desk,
  id: string,
  onStep: OnRentStep = () => undefined,
): Promise<Instance | null> {
  if (findInstanceOf(desk.store, id) === null) return null;
  return alone(desk, id, async () => {
    const instance = findInstanceOf(desk.store, id) as Instance;
    const run = loadRun(desk.store, id);
    if (instance.state === "destroy_intended") return destroyInstance(desk, instance, onStep);
    if (instance.state === "gone" || !isEnded(run.state)) return instance;
    if (isOwed(desk, run, instance)) return { ...instance, keptFor: describeOwed(run) }; // nothing is decided yet
    const reason = await findReasonToKeep(desk, run, instance);
    if (reason === null) return destroyInstance(desk, instance, onStep);
    const kept = await keepInstance(desk, instance, reason);
    await markCollected(desk, run, kept);
    return kept;
  });
}

/** One process at a time sees to a machine. @throws interrupted, where this one is to leave before its turn */
export async function alone<Result>(desk: Desk, id: string, work: () => Promise<Result>): Promise<Result> {
  mkdirSync(desk.home.fetch, { recursive: true, mode: 0o700 });
  const path = join(desk.home.fetch, `${id}.instance.lock`);
  for (;;) {
    const lock = takeKernelLock(path);
    if (lock) {
      try {
        return await work();
      } finally {
        // While it may be waited for it stays: whoever waits would hold a file that the next one does not see.
        if (findInstanceOf(desk.store, id)?.state === "gone") rmSync(path, { force: true });
        lock.release();
      }
    }
    if (desk.leaving?.aborted) throw new SortieError("interrupted");
    await desk.clock.sleep(LOOK_EVERY_MS, desk.leaving);
  }
}

/** What it has made is not home, and is still tried to bring there. */
function isOwed(desk: Desk, { results }: RunRecord, instance: Instance): boolean {
  return instance.autoDestroy && results === null && mayCostMore(instance, desk.clock.now());
}

function describeOwed({ name, collectFault }: RunRecord): string {
  return `the results of ${name} are not home: ${collectFault ?? "not yet"}`;
}

/** null: nothing speaks against destroying it. */
async function findReasonToKeep(desk: Desk, run: RunRecord, instance: Instance): Promise<string | null> {
  if (!instance.autoDestroy) return "nobody has agreed to its destruction (auto_destroy is not true)";
  if (run.results === null) return describeOwed(run);
  const restless = run.results.filter(({ changing }) => changing).map(({ path }) => path);
  if (restless.length > 0) return `somebody still writes there: ${restless.join(", ")}`;
  const mates = findMates(desk, instance);
  if (mates.length > 0) return `other runs of yours are on it: ${mates.join(", ")}`;
  if (run.startedAt === null && instance.isRented) return null; // nobody else knows of it, and nothing ran
  const strangers = await findStrangers(desk, run);
  return strangers.length === 0 ? null : `others work there: ${strangers.join(", ")}`;
}

/** Runs on the same machine that live, or whose results are not home; when the last of them is over, that one sees to it. */
function findMates(desk: Desk, { number, run: id }: Instance): string[] {
  return listOpenInstances(desk.store)
    .filter((one) => one.number === number && one.run !== id)
    .map(({ run }) => loadRun(desk.store, run))
    .filter(({ state, results }) => !isEnded(state) || results === null)
    .map(({ name, state }) => (isEnded(state) ? `${name} (its results are not home)` : name));
}
