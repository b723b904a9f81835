import { formatDuration } from "../../base/duration.ts";
import { makePrintable } from "../../base/printable.ts";
import { quoteCommand } from "../../base/quote.ts";
import { redactText } from "../../base/redact.ts";
import { wrapText } from "../../base/wrap.ts";
import { describeHost } from "../../supervise/host-name.ts";
import { listModalRows } from "../../supervise/modal/describe-modal.ts";
import { listSent } from "../../supervise/remote/show-sync.ts";
import {
  describeCode,
  describePlannedEnvironment,
  describePlannedWandb,
  type Plan,
} from "../../supervise/show-plan.ts";
import { formatDiff } from "./format-diff.ts";
import { formatExpected } from "./format-launch.ts";

const INDENT = 12;

/** The plan as a person reads it before saying yes, no wider than the terminal where words allow it. */
export function formatPlan(plan: Plan, columns: number): string[] {
  const { terms, notes } = plan;
  const { request, expected, target } = terms;
  const host = terms.modal ? "at Modal" : describeHost(target.host);
  const rows: [string, string][] = [
    ["run", terms.name],
    [
      "target",
      target.name === target.kind ? `${target.name}, ${host}` : `${target.name} (${target.kind}), ${host}`,
    ],
    ["command", makePrintable(quoteCommand(request.command))],
    ["folder", makePrintable(formatFolder(plan))],
    ...formatPlace(plan),
    ["code", describeCode(plan)],
    ...listSent(terms).map((line, at): [string, string] => [at === 0 ? "send" : "", line]),
    ["expected", formatExpected(expected)],
    ...(terms.modal ? [] : [formatLimit(request)]),
  ];
  const effects = terms.sideEffects.map((effect, index): [string, string] => [
    index === 0 ? "will" : "",
    makePrintable(effect),
  ]);
  const warnings = notes.map((note): [string, string] => ["note", makePrintable(note)]);
  return [
    `Plan ${plan.id}`,
    ...[...rows, ...effects, ...warnings].flatMap(([label, value]) =>
      wrapText(value, Math.max(INDENT + 30, columns), " ".repeat(INDENT), `  ${label}`.padEnd(INDENT)),
    ),
    ...(terms.wandb?.change ? formatDiff(terms.wandb.change.diff) : []),
  ];
}

/** What it runs in, and on. */
function formatPlace({ terms }: Plan): [string, string][] {
  if (terms.modal) return listModalRows(terms.modal).map(([label, text]) => [label, makePrintable(text)]);
  const { label, python, lines } = terms.environment;
  const version = python?.version ? ` ${python.version}` : "";
  return [
    ["python", python ? `${label}: ${python.path}${version}` : label],
    ...lines.map((line, index): [string, string] => [
      index === 0 ? "enter" : "",
      makePrintable(redactText(line)),
    ]),
    ["contract", makePrintable(describePlannedEnvironment({ terms }))],
    ["GPU", formatGpus(terms.gpus)],
    ...(terms.wandb ? [["W&B", makePrintable(describePlannedWandb(terms.wandb))] as [string, string]] : []),
  ];
}

function formatLimit({ timeoutS }: Plan["terms"]["request"]): [string, string] {
  return ["limit", timeoutS === null ? "none" : formatDuration(timeoutS)];
}

function formatFolder({ terms: { remote, request } }: Plan): string {
  if (!remote) return request.cwd;
  return remote.freeze ? `a copy of ${remote.folder}, in the job folder` : remote.folder;
}

function formatGpus({ count, model, why }: Plan["terms"]["gpus"]): string {
  if (count === "none" || count === 0) return why.startsWith("none") ? why : `none: ${why}`;
  return model === null ? `${count}, not free yet` : why;
}
