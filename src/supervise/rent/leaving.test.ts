import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { takeKernelLock } from "../../store/kernel-lock.ts";
import { closeDesk, openDesk } from "../desk.ts";
import { clearTry } from "./clear-try.ts";
import { waitUntilGone } from "./destroy-instance.ts";
import type { Instance } from "./instance.ts";
import { findInstanceOf, insertInstance } from "./instance-store.ts";
import type { Vast } from "./open-account.ts";
import { alone } from "./tear-down.ts";

const folder = useTempFolder();
const ID = "r0123456789";
const interrupted = expect.objectContaining({ code: "interrupted" });

/** A process that is to leave, as the watcher is when a newer one asks for its place. */
function openLeaving() {
  const desk = openDesk({ env: { SORTIE_HOME: join(folder(), "home") }, self: [] });
  onTestFinished(() => closeDesk(desk));
  return { ...desk, leaving: AbortSignal.abort() };
}

it("does not wait for the lock of a machine that another sees to", async () => {
  const desk = openLeaving();
  mkdirSync(desk.home.fetch, { recursive: true });
  const lock = takeKernelLock(join(desk.home.fetch, `${ID}.instance.lock`));
  onTestFinished(() => lock?.release());
  await expect(alone(desk, ID, async () => "seen to")).rejects.toEqual(interrupted);
});

it("calls nothing gone that it had no time to look for", async () => {
  const desk = openLeaving();
  insertInstance(desk.store, {
    ...{ run: ID, number: null, state: "intended", isRented: true, isGuarded: false, autoDestroy: true },
    ...{ dollarsPerHour: 0.4, mostDollars: null, budget: null, goneAt: null, earlier: [], keptFor: null },
    ...{ since: desk.clock.now().toISOString(), launcher: desk.identity },
  } satisfies Instance);
  const vast = { listInstances: async () => [], loadInstance: async () => ({}) } as unknown as Vast;
  const before = findInstanceOf(desk.store, ID);
  await expect(clearTry(desk, vast, ID, { reason: "it is tried" })).rejects.toEqual(interrupted);
  await expect(waitUntilGone(desk, vast, 1)).rejects.toEqual(interrupted);
  expect(findInstanceOf(desk.store, ID)).toEqual(before);
});
