import { quoteInput } from "../../base/quote-input.ts";
import type { JobReport } from "../../supervise/contest/load-report.ts";
import { type Fact, formatFacts } from "./format-facts.ts";
import { formatScore } from "./format-scores.ts";
import { type Column, formatTable } from "./format-table.ts";
import { formatAge, formatMoment } from "./format-time.ts";

/** The newest first; `*` stands before the current one. */
export function formatReports(
  jobs: readonly JobReport[],
  { current, now, columns }: { current: number | null; now: Date; columns: number },
): string[] {
  const shown: readonly Column<JobReport>[] = [
    { heading: "JOB", show: ({ id }) => `${id}${id === current ? " *" : ""}` },
    { heading: "BOARD", show: ({ board }) => board ?? "-" },
    { heading: "STATE", show: ({ state }) => nameState(state) },
    { heading: "CASES", show: ({ progress }) => formatProgress(progress) },
    { heading: "SCORE", show: ({ score }) => formatScore(score) },
    {
      heading: "SUBMITTED",
      show: ({ createdAt }) => (createdAt ? formatAge(createdAt, now) : "-"),
      spare: 2,
    },
    { heading: "MODEL", show: ({ modelName }) => modelName ?? "-", spare: 1 },
    { heading: "NAME", show: ({ name }) => name ?? "-" },
  ];
  return formatTable(jobs, shown, columns);
}

/** One job, a fact a line. */
export function formatReport(report: JobReport, now: Date, columns: number): string[] {
  const { id, uuid, name, board, modelName, said, endReason, score, createdAt, endedAt } = report;
  const facts: readonly Fact[] = [
    ["job", `${id}${name === null ? "" : ` ${quoteInput(name)}`}`],
    ["uuid", uuid],
    ["board", board],
    ["model", modelName],
    ["state", said],
    ["why", endReason],
    ["score", score === null ? null : `${score} as the gateway gives it`],
    ["submitted", createdAt === null ? null : formatMoment(createdAt, now)],
    ["ended", endedAt === null ? null : formatMoment(endedAt, now)],
  ];
  return formatFacts(facts, columns);
}

/** `waiting for agent`. */
export function nameState(state: JobReport["state"]): string {
  return state.replaceAll("_", " ");
}

function formatProgress(progress: JobReport["progress"]): string {
  return progress === null ? "-" : `${progress.done}/${progress.total}`;
}
