import { makePrintable } from "../../base/printable.ts";
import type { AgentsNow } from "../../supervise/host/list-agents.ts";
import type { CaseDocument, JobDocument } from "../../supervise/host/list-jobs.ts";
import type { loadSimulators } from "../../supervise/host/list-simulators.ts";
import type { UserDocument } from "../../supervise/host/list-users.ts";
import type { GatewayConfig } from "../../supervise/host/load-config.ts";
import { formatTable } from "./format-table.ts";
import { formatAge } from "./format-time.ts";

/** Limits of the configuration stand in brackets. */
export function formatUsers(
  users: readonly UserDocument[],
  configured: Pick<GatewayConfig, "quota" | "parallelism">,
  columns: number,
): string[] {
  const show = (own: number | null, common: number) => (own === null ? `(${common})` : String(own));
  const rows = users.map(({ email, name, quota, parallelism }) => [
    ...[email, show(quota, configured.quota.limit), show(parallelism, configured.parallelism), name],
  ]);
  return formatTable(["EMAIL", "QUOTA", "PARALLELISM", "NAME"], rows, columns);
}

export function formatSimulators(
  keys: Awaited<ReturnType<typeof loadSimulators>>,
  now: Date,
  columns: number,
): string[] {
  const rows = keys.map(({ id, board, createdAt }) => [String(id), board, formatAge(createdAt, now)]);
  return formatTable(["KEY", "BOARD", "MADE"], rows, columns);
}

export function formatJobs(jobs: readonly JobDocument[], now: Date, columns: number): string[] {
  const rows = jobs.map(({ id, board, state, cases, score, user, createdAt, name }) => [
    ...[
      String(id),
      board,
      state,
      countCases(cases),
      formatScore(score),
      formatAge(createdAt, now),
      user,
      name,
    ],
  ]);
  return formatTable(["JOB", "BOARD", "STATE", "CASES", "SCORE", "SUBMITTED", "USER", "NAME"], rows, columns);
}

export function formatJob(
  { job, cases }: { job: JobDocument; cases: readonly CaseDocument[] },
  now: Date,
  columns: number,
): string[] {
  const rows = cases.map(({ id, task, index, state, attempts, score, failure }) => [
    ...[`c${id}`, task, String(index), state, String(attempts), formatScore(score), failure ?? ""],
  ]);
  const header = ["CASE", "TASK", "INDEX", "STATE", "TRIES", "SCORE", "LAST FAILURE"];
  return [
    ...formatJobs([job], now, columns),
    ...(job.endReason === null ? [] : [`why it ended: ${makePrintable(job.endReason)}`]),
    "",
    ...formatTable(header, rows, columns),
  ];
}

export function formatAgents({ running, agents }: AgentsNow, now: Date, columns: number): string[] {
  const rows = agents.map(({ jobId, agentId, state, isConnected, sessionId, peer, changedAt }) => [
    ...[String(jobId), agentId, isConnected ? state : `${state}, gone`],
    ...[formatAge(changedAt, now), sessionId === null ? "-" : "plays", peer ?? "-"],
  ]);
  const header = ["JOB", "AGENT", "STATE", "SINCE", "CASE", "PEER"];
  const table = formatTable(header, rows, columns);
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
