import type { ActionOutcome } from "../supervise/actions/action.ts";
import type { ActionPlan } from "../supervise/actions/action-plan.ts";
import type { Desk } from "../supervise/desk.ts";
import { makeFleetDocument } from "../supervise/fleet/show-fleet.ts";
import { describeFinish, finishFleet } from "./finish-fleet.ts";
import type { Io } from "./io.ts";
import type { SignalListener } from "./listen-for-signals.ts";
import { reportAction } from "./plan-and-act.ts";
import { sayLines } from "./say-lines.ts";

/** What the launch of a fleet has done, and unless it is detached how the fleet goes on, to its end. */
export async function followLaunch(
  io: Io,
  desk: Desk,
  confirmed: { readonly plan: ActionPlan; readonly outcome: ActionOutcome },
  { detach, signals }: { readonly detach: boolean; readonly signals: SignalListener },
): Promise<number> {
  if (detach) return reportAction(io, confirmed);
  const { plan, outcome } = confirmed;
  if (!io.json) sayLines(io, outcome.words);
  const { id: fleet } = outcome.document["fleet"] as { readonly id: string };
  const finish = await finishFleet(io, desk, fleet, { signals });
  const { id, action, expiresAt } = plan;
  if (io.json)
    io.printDocument({
      ...{ plan: { id, action, expiresAt }, ...outcome.document },
      fleet: makeFleetDocument(finish.view),
    });
  else sayLines(io, describeFinish(finish));
  return finish.exitCode;
}
