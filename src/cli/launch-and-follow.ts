import { confirmAction } from "../supervise/actions/confirm-action.ts";
import type { Desk } from "../supervise/desk.ts";
import type { Io } from "./io.ts";
import { listenForSignals, type SignalListener } from "./listen-for-signals.ts";
import { reportAction } from "./plan-and-act.ts";
import { warnNotices } from "./warn-notices.ts";

export type Confirmed = Awaited<ReturnType<typeof confirmAction>>;

const TOLD = "It is not cut in the middle: once this is done, what was launched is ended again.";

/**
 * Carries out a plan that launches a fleet, and unless it is detached follows what it launched. A signal does not cut in the
 * middle what has begun to submit or launch: it is told of, and `follow` answers it right after.
 */
export async function launchAndFollow(
  io: Io,
  desk: Desk,
  plan: string,
  options: {
    readonly detach: boolean;
    /** As in ActionCall. */
    readonly justMade: boolean;
    readonly follow: (confirmed: Confirmed, signals: SignalListener) => Promise<number>;
  },
): Promise<number> {
  await warnNotices(io, desk);
  const confirm = () => confirmAction(desk, plan, { secrets: {}, justMade: options.justMade });
  if (options.detach) return reportAction(io, await confirm());
  const signals = listenForSignals();
  try {
    const confirmed = await signals.during(confirm(), () => io.warn(TOLD));
    return await options.follow(confirmed, signals);
  } finally {
    signals.end();
  }
}
