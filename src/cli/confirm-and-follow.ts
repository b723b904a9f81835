import { confirmAction } from "../supervise/actions/confirm-action.ts";
import { LAUNCHED_SUBMISSION, type LaunchedPlan } from "../supervise/contest/launch-submission.ts";
import { openContest } from "../supervise/contest/open-contest.ts";
import type { Desk } from "../supervise/desk.ts";
import { FLEET_ACTION } from "../supervise/fleet/plan-fleet.ts";
import { loadPlanBody } from "../supervise/plan-row.ts";
import { RENTAL_ACTION } from "../supervise/rent/rental-terms.ts";
import { confirmReady } from "./confirm-ready.ts";
import { followLaunch } from "./follow-launch.ts";
import type { Io } from "./io.ts";
import { launchAndFollow } from "./launch-and-follow.ts";
import { reportAction } from "./plan-and-act.ts";
import { rentAndFollow } from "./rent-and-launch.ts";
import { followToScores } from "./submit-and-launch.ts";

/** Carries out the plan of an action; a fleet that it launches is watched to its end, a job that it submits to its scores. */
export async function confirmAndFollow(
  io: Io,
  desk: Desk,
  id: string,
  { detach }: { readonly detach: boolean },
): Promise<number> {
  switch (loadPlanBody(desk, id).action) {
    case FLEET_ACTION:
      return launchAndFollow(io, desk, id, {
        ...{ detach, justMade: false },
        follow: (confirmed, signals) => followLaunch(io, desk, confirmed, signals),
      });
    case LAUNCHED_SUBMISSION:
      return launchAndFollow(io, desk, id, {
        ...{ detach, justMade: false },
        follow: ({ plan, outcome }, signals) => {
          const launched = { plan: plan as LaunchedPlan, outcome };
          const { baseUrl } = launched.plan.terms.submission;
          return followToScores(io, openContest(desk, { baseUrl }), launched, signals);
        },
      });
    case RENTAL_ACTION:
      return rentAndFollow(io, desk, id, { detach });
    case "env build":
    case "env verify":
      return confirmReady(io, desk, id);
    default:
      return reportAction(io, await confirmAction(desk, id));
  }
}
