import { formatDollars } from "../../base/dollars.ts";
import { formatDuration } from "../../base/duration.ts";
import { makePrintable } from "../../base/printable.ts";
import { wrapText } from "../../base/wrap.ts";
import type { Machine, MachineList } from "../../supervise/rent/list-machines.ts";
import { type Column, formatTable } from "./format-table.ts";

const columns: readonly Column<Machine>[] = [
  { heading: "INSTANCE", show: ({ number }) => String(number), isNumber: true },
  { heading: "STATUS", show: ({ status }) => status },
  { heading: "GPUS", show: ({ gpus }) => gpus },
  { heading: "$/H", show: ({ dollarsPerHour }) => formatDollars(dollarsPerHour), isNumber: true },
  { heading: "AGE", show: ({ ageHours }) => formatDuration(ageHours * 3600), spare: 1 },
  { heading: "COST", show: ({ dollars }) => formatDollars(dollars), isNumber: true },
  { heading: "RUN", show: formatRuns },
];

/** The machines of an account, those that nobody knows marked as such, and what is odd about them. */
export function formatMachines(
  { machines, missing, proposals, credit, listedInVain }: MachineList,
  width: number,
): string[] {
  const kept = machines.filter(({ keptFor }) => keptFor !== null);
  const lines = [
    ...kept.map(({ number, keptFor }) => `${number} was not destroyed: ${keptFor}`),
    ...missing.map(
      ({ number, run }) => `${number} (run ${run}) is on record, and not in the account any more.`,
    ),
    ...listedInVain.map(
      ({ number, experiment }) =>
        `${number}${experiment === null ? "" : ` (${experiment})`} is running by vast-instances.json, and not in the account.`,
    ),
    ...proposals,
    ...(credit === null ? [] : [`Credit: ${formatDollars(credit)}`]),
  ];
  const table =
    machines.length === 0 ? ["The account has no instance."] : formatTable(machines, columns, width);
  return [...table, ...lines.flatMap((line) => wrapText(makePrintable(line), width))];
}

/** What nobody here knows says so; a label, and a file of the project, may tell whose it is. */
function formatRuns({ runs, label, labelledAs, listed }: Machine): string {
  if (labelledAs !== null) {
    const { name, number } = labelledAs;
    return `not known here (labelled as ${name}, which is on ${number ?? "none"})`;
  }
  if (runs.length > 0) return runs.map(({ name, state }) => `${name} (${state})`).join(", ");
  const hints = [
    ...(label === null ? [] : [`label ${label}`]),
    ...(listed === null ? [] : [`vast-instances.json: ${listed.experiment ?? "no experiment"}`]),
  ];
  return hints.length === 0 ? "not known here" : `not known here (${hints.join("; ")})`;
}
