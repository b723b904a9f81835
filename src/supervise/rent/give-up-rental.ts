import { isProcessAlive } from "../../process/identity.ts";
import { loadRun, moveRun } from "../../runs/run-store.ts";
import { isEnded } from "../../runs/states.ts";
import type { Desk } from "../desk.ts";
import { clearTry } from "./clear-try.ts";
import type { Instance } from "./instance.ts";
import { changeInstance, findInstanceOf } from "./instance-store.ts";
import { openAccount } from "./open-account.ts";
import { alone, tearDown } from "./tear-down.ts";

const DIED = "whoever rented its machine died before the run was launched";

/**
 * Ends a rental whose renter died, or that came to nothing: a machine that never answered is destroyed, as its plan says; one
 * that did is seen to as after any run. Nothing has run there. Its run is failed.
 * @throws instance_still_there, and what asking the vendor throws
 */
export async function giveUpRental(
  desk: Desk,
  run: string,
  { reason = DIED, mayBeLate = true }: { readonly reason?: string; readonly mayBeLate?: boolean } = {},
): Promise<void> {
  await alone(desk, run, async () => {
    const instance = findInstanceOf(desk.store, run);
    if (instance === null || isOthers(desk, instance)) return;
    await failRun(desk, run, reason); // first: whatever keeps the machine from being cleared away now, others go on with it
    if (instance.state !== "intended" && instance.state !== "created") return;
    await clearTry(desk, openAccount(desk), run, { reason, mayBeLate });
    changeInstance(desk.store, run, {
      ...{ state: "gone", keptFor: null, goneAt: desk.clock.now().toISOString() },
    });
  });
  await tearDown(desk, run);
}

/** Another process rents it this very moment, or one that cannot be judged from here; whose run is over rents no more. */
function isOthers({ identity, store }: Desk, { launcher, run }: Instance): boolean {
  if (isEnded(loadRun(store, run).state)) return false;
  const isOwn = launcher.pid === identity.pid && launcher.start === identity.start;
  return !isOwn && isProcessAlive(launcher) !== false;
}

async function failRun(desk: Desk, id: string, reason: string): Promise<void> {
  const { explainUnstarted } = await import("../explain-end.ts"); // its table of symptoms is for ends alone
  const run = loadRun(desk.store, id);
  const endedAt = desk.clock.now().toISOString();
  const end = explainUnstarted(run, { endReason: "launch_failed", endedAt, evidence: reason });
  moveRun(desk.store, id, "failed", end, ({ state }) => state === "planned");
}
