import { isActionPlan, loadUsableAction } from "../supervise/actions/action-plan.ts";
import type { Desk } from "../supervise/desk.ts";
import { loadBridge } from "../supervise/news/ask-launch.ts";
import { loadUsablePlan, makePrintablePlan } from "../supervise/show-plan.ts";
import { askByBridge, BRIDGE_COLUMNS } from "./ask-by-bridge.ts";
import type { Io } from "./io.ts";
import { formatActionPlan } from "./views/format-action.ts";
import { formatPlan } from "./views/format-plan.ts";

/** Asks over Feishu whether a plan that was made before is to be carried out. null: yes; else the exit code. */
export async function askForPlan(io: Io, desk: Desk, id: string): Promise<number | null> {
  const bridge = loadBridge(desk);
  if (!isActionPlan(desk, id)) {
    const plan = loadUsablePlan(desk, id);
    return askByBridge(io, desk, bridge, {
      plan: makePrintablePlan(plan),
      lines: formatPlan(plan, BRIDGE_COLUMNS),
    });
  }
  const plan = loadUsableAction(desk, id);
  const { action, expiresAt } = plan;
  const shown = { id, action, expiresAt };
  return askByBridge(io, desk, bridge, { plan: shown, lines: formatActionPlan(plan, BRIDGE_COLUMNS) });
}
