import { countOf } from "../../base/count-of.ts";
import { formatDuration } from "../../base/duration.ts";
import type { AgentEnd } from "../../tunnel/agent-options.ts";
import type { AgentReport, Percentiles } from "../../tunnel/agent-report.ts";
import type { AgentState } from "../../wire/agent-states.ts";
import type { StateTimes } from "./state-times.ts";

const PARTS = [
  ["queue", "waiting for the handler"],
  ["handler", "in the handler"],
  ["check", "checking the reply"],
  ["send", "sending it"],
] as const;
const ENDS: readonly AgentState[] = ["drained", "failed"];

/** What an agent did, in lines for people. */
export function describeEnd({ outcome, report }: AgentEnd, times: ReturnType<StateTimes["read"]>): string[] {
  const spent = times.filter(([state]) => !ENDS.includes(state));
  const lines = [
    `${outcome}: ${countOf(report.sessions, "session")}, ${countOf(report.replies, "reply", "replies")}`,
    `time: ${spent.map(([state, seconds]) => `${state} ${formatDuration(seconds)}`).join(", ")}`,
    ...describeTrouble(report),
  ];
  if (report.latency === null) return lines;
  const { latency } = report;
  const rows = PARTS.map(([part, words]) => formatRow(part, latency[part], words));
  return [...lines, "milliseconds         p50       p95       p99       max", ...rows];
}

/** Only what happened. */
function describeTrouble(report: AgentReport): string[] {
  const counts: readonly [number, string][] = [
    [report.redials, "redialed"],
    [report.resent, "replies sent again after a cut"],
    [report.unproven, "replies that may not have arrived"],
    [report.lost, "observations left unanswered"],
    [report.handlerFaults, "faults of the handler"],
    [report.malformedFrames, "frames that could not be read"],
  ];
  const happened = counts.filter(([times]) => times > 0).map(([times, what]) => `${what}: ${times}`);
  const named = [
    ["replies that the checks stopped", report.refusedReplies],
    ["replies that look odd", report.softFindings],
    ["control messages ignored", report.ignoredControls],
  ] as const;
  const listed = named.flatMap(([what, by]) => {
    const parts = Object.entries(by).map(([name, times]) => `${name} ${times}`);
    return parts.length === 0 ? [] : [`${what}: ${parts.join(", ")}`];
  });
  return [...happened, ...listed];
}

function formatRow(part: string, times: Percentiles | null, words: string): string {
  if (times === null) return `  ${part.padEnd(12)}${"-".padStart(10).repeat(4)}  ${words}`;
  const cells = [times.p50, times.p95, times.p99, times.max].map((ms) =>
    (ms < 10 ? ms.toFixed(2) : ms.toFixed(1)).padStart(10),
  );
  return `  ${part.padEnd(12)}${cells.join("")}  ${words}`;
}
