import { makePrintable } from "../../base/printable.ts";
import { wrapText } from "../../base/wrap.ts";
import type { Failure } from "../../supervise/contest/load-failure.ts";

const INDENT = 12;

/** What ended the case that failed last; null: none has failed. */
export function formatFailure(job: number, failure: Failure | null, columns: number): string[] {
  if (failure === null) return [`No case of job ${job} has failed.`];
  const { caseId, agentId, exitCode, said, whose, error, traceback, lines, outputUrl } = failure;
  const rows: readonly (readonly [string, string | null])[] = [
    ["job", `${job}${caseId === null ? "" : `, case ${caseId}`}`],
    ["reason", said],
    ["whose", describeSide(whose)],
    ["note", error],
    ["agent", agentId],
    ["exit code", exitCode === null ? null : String(exitCode)],
    ["output", outputUrl === null ? null : `${outputUrl} (for an hour)`],
  ];
  const width = Math.max(columns, INDENT + 30);
  return [
    ...rows.flatMap(([label, value]) =>
      value === null ? [] : wrapText(makePrintable(value), width, " ".repeat(INDENT), label.padEnd(INDENT)),
    ),
    ...showBlock("last traceback", traceback),
    ...showBlock(`last ${lines.length} lines`, lines),
  ];
}

function describeSide(whose: Failure["whose"]): string | null {
  if (whose === "unknown") return null;
  return whose === "platform" ? "the platform's side" : "usually the agent's side";
}

function showBlock(heading: string, lines: readonly string[] | null): string[] {
  if (lines === null || lines.length === 0) return [];
  return ["", `${heading}:`, ...lines.map((line) => `  ${makePrintable(line)}`)];
}
