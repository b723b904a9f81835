import { formatDuration } from "../../base/duration.ts";
import { makePrintable } from "../../base/printable.ts";
import { quoteCommand } from "../../base/quote.ts";
import { describeCode, type Plan } from "../../supervise/show-plan.ts";

/** The plan as a person reads it before saying yes. */
export function formatPlan(plan: Plan): string[] {
  const { terms, notes } = plan;
  const { request, environment, gpus, expected, target } = terms;
  const python = environment.python;
  const rows: [string, string][] = [
    ["run", terms.name],
    [
      "target",
      target.name === target.kind
        ? `${target.name}, ${target.host}`
        : `${target.name} (${target.kind}), ${target.host}`,
    ],
    ["command", makePrintable(quoteCommand(request.command))],
    ["folder", makePrintable(request.cwd)],
    [
      "python",
      python
        ? `${environment.label}: ${python.path}${python.version ? ` ${python.version}` : ""}`
        : environment.label,
    ],
    ["GPU", formatGpus(gpus)],
    ["code", describeCode(plan)],
    ["expected", formatExpected(expected)],
    ["limit", request.timeoutS === null ? "none" : formatDuration(request.timeoutS)],
  ];
  const lines = rows.map(([label, value]) => `  ${label.padEnd(9)} ${value}`);
  return [
    `Plan ${plan.id}`,
    ...lines,
    "  Confirming it makes:",
    ...terms.sideEffects.map((effect) => `  - ${effect}`),
    ...notes.map((note) => `  ! ${makePrintable(note)}`),
  ];
}

function formatGpus({ count, model, preferred, why }: Plan["terms"]["gpus"]): string {
  if (count === "none" || count === 0) return why.startsWith("none") ? why : `none: ${why}`;
  if (model === null) return `${count}, not free yet`;
  return `${count} x ${model} (${why})${preferred[0] ? `, ${preferred.join(", ")}` : ""}`;
}

function formatExpected({ seconds, source }: Plan["terms"]["expected"]): string {
  if (seconds === null) return "unknown";
  return `${formatDuration(seconds)}${source === "earlier_runs" ? ", as earlier runs took" : ""}`;
}
