import { makePrintable } from "../../base/printable.ts";
import type { AgentsNow } from "../../supervise/host/list-agents.ts";
import type { CaseDocument, JobDocument } from "../../supervise/host/list-jobs.ts";
import type { loadSimulators } from "../../supervise/host/list-simulators.ts";
import type { UserDocument } from "../../supervise/host/list-users.ts";
import type { GatewayConfig } from "../../supervise/host/load-config.ts";
import { type Column, formatTable } from "./format-table.ts";
import { formatAge } from "./format-time.ts";

type SimulatorKey = Awaited<ReturnType<typeof loadSimulators>>[number];
type Agent = AgentsNow["agents"][number];

/** Limits of the configuration stand in brackets. */
export function formatUsers(
  users: readonly UserDocument[],
  configured: Pick<GatewayConfig, "quota" | "parallelism">,
  columns: number,
): string[] {
  const show = (own: number | null, common: number) => (own === null ? `(${common})` : String(own));
  const shown: readonly Column<UserDocument>[] = [
    { heading: "EMAIL", show: ({ email }) => email },
    { heading: "QUOTA", show: ({ quota }) => show(quota, configured.quota.limit) },
    { heading: "PARALLELISM", show: ({ parallelism }) => show(parallelism, configured.parallelism) },
    { heading: "NAME", show: ({ name }) => name },
  ];
  return formatTable(users, shown, columns);
}

export function formatSimulators(keys: readonly SimulatorKey[], now: Date, columns: number): string[] {
  const shown: readonly Column<SimulatorKey>[] = [
    { heading: "KEY", show: ({ id }) => String(id) },
    { heading: "BOARD", show: ({ board }) => board },
    { heading: "MADE", show: ({ createdAt }) => formatAge(createdAt, now) },
  ];
  return formatTable(keys, shown, columns);
}

export function formatJobs(jobs: readonly JobDocument[], now: Date, columns: number): string[] {
  const shown: readonly Column<JobDocument>[] = [
    { heading: "JOB", show: ({ id }) => String(id) },
    { heading: "BOARD", show: ({ board }) => board },
    { heading: "STATE", show: ({ state }) => state },
    { heading: "CASES", show: ({ cases }) => countCases(cases) },
    { heading: "SCORE", show: ({ score }) => formatScore(score) },
    { heading: "SUBMITTED", show: ({ createdAt }) => formatAge(createdAt, now) },
    { heading: "USER", show: ({ user }) => user },
    { heading: "NAME", show: ({ name }) => name },
  ];
  return formatTable(jobs, shown, columns);
}

const caseColumns: readonly Column<CaseDocument>[] = [
  { heading: "CASE", show: ({ id }) => `c${id}` },
  { heading: "TASK", show: ({ task }) => task },
  { heading: "INDEX", show: ({ index }) => String(index) },
  { heading: "STATE", show: ({ state }) => state },
  { heading: "TRIES", show: ({ attempts }) => String(attempts) },
  { heading: "SCORE", show: ({ score }) => formatScore(score) },
  { heading: "LAST FAILURE", show: ({ failure }) => failure ?? "" },
];

export function formatJob(
  { job, cases }: { job: JobDocument; cases: readonly CaseDocument[] },
  now: Date,
  columns: number,
): string[] {
  return [
    ...formatJobs([job], now, columns),
    ...(job.endReason === null ? [] : [`why it ended: ${makePrintable(job.endReason)}`]),
    "",
    ...formatTable(cases, caseColumns, columns),
  ];
}

export function formatAgents({ running, agents }: AgentsNow, now: Date, columns: number): string[] {
  const shown: readonly Column<Agent>[] = [
    { heading: "JOB", show: ({ jobId }) => String(jobId) },
    { heading: "AGENT", show: ({ agentId }) => agentId },
    { heading: "STATE", show: ({ state, isConnected }) => (isConnected ? state : `${state}, gone`) },
    { heading: "SINCE", show: ({ changedAt }) => formatAge(changedAt, now) },
    { heading: "CASE", show: ({ sessionId }) => (sessionId === null ? "-" : "plays") },
    { heading: "PEER", show: ({ peer }) => peer ?? "-" },
  ];
  const table = formatTable(agents, shown, columns);
  if (running) return table.length > 0 ? table : ["No agents."];
  return ["The gateway does not run.", ...(table.length > 0 ? ["Its agents when it ended:", ...table] : [])];
}

/** `3/6`, `5/6, 1 failed`. */
function countCases(cases: JobDocument["cases"]): string {
  const all = Object.values(cases).reduce((sum, count) => sum + count, 0);
  return `${cases.done}/${all}${cases.failed > 0 ? `, ${cases.failed} failed` : ""}`;
}

function formatScore(score: number | null): string {
  return score === null ? "-" : score.toFixed(3);
}
