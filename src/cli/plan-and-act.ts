import { makePrintable } from "../base/printable.ts";
import type { ActionCall, ActionOutcome } from "../supervise/actions/action.ts";
import type { ActionPlan } from "../supervise/actions/action-plan.ts";
import { confirmAction } from "../supervise/actions/confirm-action.ts";
import type { Desk } from "../supervise/desk.ts";
import { askYesNo } from "./ask.ts";
import type { Io } from "./io.ts";
import { reportUnconfirmed } from "./report-unconfirmed.ts";
import { formatActionPlan } from "./views/format-action.ts";

/** Shows the plan of an action, asks, does it: on a terminal a question, else `--yes`, or exit 3 and how to confirm it. */
export async function planAndAct(
  io: Io,
  desk: Desk,
  plan: ActionPlan,
  options: { readonly yes?: boolean; readonly flag?: string; readonly readCall?: () => Promise<ActionCall> },
): Promise<number> {
  if (!io.json) for (const line of formatActionPlan(plan, io.columns)) io.say(line);
  if (!options.yes && !(await askYesNo(io, "Do it?", true)))
    return reportUnconfirmed(io, plan, {
      now: desk.clock.now(),
      refused: "Not done.",
      ...(options.flag && { flag: options.flag }),
    });
  const call = await options.readCall?.();
  return reportAction(io, await confirmAction(desk, plan.id, call));
}

export function reportAction(
  io: Io,
  { plan: { id, action, expiresAt }, outcome }: { plan: ActionPlan; outcome: ActionOutcome },
): number {
  if (io.json) io.printDocument({ plan: { id, action, expiresAt }, ...outcome.document });
  else for (const line of outcome.words) io.say(makePrintable(line));
  return 0;
}
