import { formatDollars } from "../../base/dollars.ts";
import { formatDuration } from "../../base/duration.ts";
import type { Machine, MachineList } from "../../supervise/rent/list-machines.ts";
import { type Column, formatTable } from "./format-table.ts";

const columns: readonly Column<Machine>[] = [
  { heading: "INSTANCE", show: ({ number }) => String(number), isNumber: true },
  { heading: "STATUS", show: ({ status }) => status },
  { heading: "GPUS", show: ({ gpus }) => gpus },
  { heading: "$/H", show: ({ dollarsPerHour }) => formatDollars(dollarsPerHour), isNumber: true },
  { heading: "AGE", show: ({ ageHours }) => formatDuration(ageHours * 3600) },
  { heading: "COST", show: ({ dollars }) => formatDollars(dollars), isNumber: true },
  { heading: "RUN", show: formatRuns },
];

/** The machines of an account, those that nobody knows marked as such, and what is odd about them. */
export function formatMachines(
  { machines, missing, proposals, credit }: MachineList,
  width: number,
): string[] {
  const kept = machines.filter(({ keptFor }) => keptFor !== null);
  return [
    ...(machines.length === 0 ? ["The account has no instance."] : formatTable(machines, columns, width)),
    ...kept.map(({ number, keptFor }) => `${number} was not destroyed: ${keptFor}`),
    ...missing.map(
      ({ number, run }) => `${number} (run ${run}) is on record, and not in the account any more.`,
    ),
    ...proposals,
    ...(credit === null ? [] : [`Credit: ${formatDollars(credit)}`]),
  ];
}

function formatRuns({ runs, label }: Machine): string {
  if (runs.length > 0) return runs.map(({ name, state }) => `${name} (${state})`).join(", ");
  return label === null ? "not known here" : `not known here (label ${label})`;
}
