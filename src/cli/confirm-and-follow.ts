import { confirmAction } from "../supervise/actions/confirm-action.ts";
import { LAUNCHED_SUBMISSION } from "../supervise/contest/launch-submission.ts";
import type { Desk } from "../supervise/desk.ts";
import { FLEET_ACTION } from "../supervise/fleet/plan-fleet.ts";
import { loadPlanBody } from "../supervise/plan-row.ts";
import { followLaunch } from "./follow-launch.ts";
import type { Io } from "./io.ts";
import { launchAndFollow } from "./launch-and-follow.ts";
import { reportAction } from "./plan-and-act.ts";

const LAUNCHING: readonly string[] = [FLEET_ACTION, LAUNCHED_SUBMISSION];

/** Carries out the plan of an action; a fleet that it launches is watched to its end. */
export async function confirmAndFollow(
  io: Io,
  desk: Desk,
  id: string,
  { detach }: { readonly detach: boolean },
): Promise<number> {
  const { action = "" } = loadPlanBody(desk, id);
  if (!LAUNCHING.includes(action)) return reportAction(io, await confirmAction(desk, id));
  return launchAndFollow(io, desk, id, {
    ...{ detach, justMade: false },
    follow: (confirmed, signals) => followLaunch(io, desk, confirmed, signals),
  });
}
