import { formatDuration } from "../../base/duration.ts";
import { makePrintable } from "../../base/printable.ts";
import { isEnded, type RunSummary } from "../../supervise/find-runs.ts";
import { findHostNow } from "../../supervise/host-clock.ts";
import { formatUnseen } from "./format-silence.ts";
import { formatSpan } from "./format-time.ts";

/** A table of runs, newest first, no wider than the terminal; with their ids where two have the same name. */
export function formatRuns(runs: readonly RunSummary[], now: Date, columns: number): string[] {
  if (runs.length === 0) return [];
  const areNamesUnique = new Set(runs.map((run) => run.name)).size === runs.length;
  const rows = runs.map((run) => [
    ...(areNamesUnique ? [] : [run.id]),
    run.name,
    formatState(run, now),
    formatTime(run, now),
    run.target,
    makePrintable(run.command),
  ]);
  const header = [...(areNamesUnique ? [] : ["ID"]), "NAME", "STATE", "TIME", "TARGET", "COMMAND"];
  const table = [header, ...rows];
  const widths = header
    .slice(0, -1)
    .map((_, column) => Math.max(...table.map((row) => (row[column] as string).length)));
  return table.map((row) => {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
    return line.length <= columns ? line.trimEnd() : `${line.slice(0, columns - 1)}…`;
  });
}

function formatState(run: RunSummary, now: Date): string {
  const reason = run.endReason && !["exited", "stopped"].includes(run.endReason) ? ` (${run.endReason})` : "";
  const code = run.endReason === "exited" && run.exitCode !== 0 ? ` (exit ${run.exitCode})` : "";
  if (run.reachable && run.state === "running" && run.quietSince)
    return `running (silent for ${formatSpan(run.quietSince, now)})`;
  if (run.reachable) return `${run.state}${reason}${code}`;
  return `${run.state} (${formatUnseen(run, now)})`;
}

/** How long it took, or has been running. */
function formatTime(run: RunSummary, now: Date): string {
  if (run.durationS !== null) return formatDuration(run.durationS);
  if (!run.startedAt) return "-";
  const end = isEnded(run.state) && run.endedAt ? Date.parse(run.endedAt) : findHostNow(run, now).getTime();
  return formatDuration(Math.max(0, end - Date.parse(run.startedAt)) / 1000);
}
