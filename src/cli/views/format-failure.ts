import { makePrintable } from "../../base/printable.ts";
import type { Failure } from "../../supervise/contest/load-failure.ts";
import { type Fact, formatFacts } from "./format-facts.ts";

/** What ended the case that failed last; null: none has failed. */
export function formatFailure(job: number, failure: Failure | null, columns: number): string[] {
  if (failure === null) return [`No case of job ${job} has failed.`];
  const { caseId, agentId, exitCode, said, whose, error, traceback, lines, outputUrl } = failure;
  const facts: readonly Fact[] = [
    ["job", `${job}${caseId === null ? "" : `, case ${caseId}`}`],
    ["reason", said],
    ["whose", describeSide(whose)],
    ["note", error],
    ["agent", agentId],
    ["exit code", exitCode === null ? null : String(exitCode)],
    ["output", outputUrl === null ? null : `${outputUrl} (for an hour)`],
  ];
  return [
    ...formatFacts(facts, columns),
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
