import { formatDuration } from "../../base/duration.ts";
import { makePrintable } from "../../base/printable.ts";
import type { RunRecord } from "../../supervise/find-runs.ts";
import { formatLogPlace } from "./format-place.ts";
import { countFiles } from "./format-results.ts";

const REASONS: Readonly<Record<string, string>> = {
  exited: "the command ended by itself",
  signal: "a signal ended it",
  oom: "it ran out of memory",
  time_limit: "its time limit was reached",
  disk_full: "the disk was full",
  host_restarted: "its host was restarted",
  container_restarted: "its container was restarted",
  supervisor_killed: "its supervisor was killed",
  never_started: "it never started",
  gpu_taken: "its GPU was taken by another before it started",
  launch_failed: "it could not be started",
  stopped: "it was stopped",
  hang_up: "its screen window was closed",
  unknown: "nobody knows why",
};

/** One line: `failed after 3 s, exit code 1: the command ended by itself`. */
export function formatEnding(run: RunRecord): string {
  const isTold = run.endReason === null || run.state === "succeeded" || run.endReason === run.state;
  const reason = isTold ? "" : `: ${REASONS[run.endReason as string]}`;
  return `${formatState(run)}${reason}`;
}

/**
 * The ending with its evidence, what to do next, and where things are. `known` are notes that were shown before;
 * `logTail` the log's last lines, for those who have not seen the log.
 */
export function formatOutcome(
  run: RunRecord,
  { known = [], logTail = [] }: { known?: readonly string[]; logTail?: readonly string[] } = {},
): string[] {
  const lines = [`${run.name} ${run.cause ? formatState(run) : formatEnding(run)}.`];
  if (run.cause) lines.push(`  cause     ${run.cause}`);
  if (run.evidence) lines.push(`  evidence  ${run.evidence}`);
  if (run.nextStep) lines.push(`  next      ${run.nextStep}`);
  if (run.jobFolder !== "") lines.push(`  log       ${formatLogPlace(run)}`);
  lines.push(...logTail.map((line) => `    | ${line}`));
  if (run.results && run.results.length > 0) {
    lines.push(`  results   ${run.resultsFolder} (${countFiles(run.results)})`);
  }
  if (run.collectFault) lines.push(`  results   not brought home: ${run.collectFault}`);
  for (const note of run.notes) if (!known.includes(note)) lines.push(`  note      ${note}`);
  return lines.map(makePrintable);
}

function formatState(run: RunRecord): string {
  const after = run.durationS === null ? "" : ` after ${formatDuration(run.durationS)}`;
  const code = run.exitCode === null || run.state === "succeeded" ? "" : `, exit code ${run.exitCode}`;
  return `${run.state}${after}${code}`;
}
