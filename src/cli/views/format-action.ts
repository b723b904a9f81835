import { makePrintable } from "../../base/printable.ts";
import { wrapText } from "../../base/wrap.ts";
import type { ActionPlan } from "../../supervise/actions/action-plan.ts";

const INDENT = 12;

/** The plan of an action as a person reads it before saying yes. */
export function formatActionPlan({ id, action, sideEffects, notes }: ActionPlan, columns: number): string[] {
  const rows: [string, string][] = [
    ["action", action],
    ...sideEffects.map((effect, index): [string, string] => [index === 0 ? "will" : "", effect]),
    ...notes.map((note): [string, string] => ["note", note]),
  ];
  return [
    `Plan ${id}`,
    ...rows.flatMap(([label, value]) =>
      wrapText(
        makePrintable(value),
        Math.max(INDENT + 30, columns),
        " ".repeat(INDENT),
        `  ${label}`.padEnd(INDENT),
      ),
    ),
  ];
}
