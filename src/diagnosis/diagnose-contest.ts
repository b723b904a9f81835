import type { ContestFacts, ContestRow } from "./contest-row.ts";
import type { ContestSymptoms } from "./contest-symptoms.ts";
import { challengeAgentRows } from "./rows/challenge-agent-rows.ts";
import { challengeEndpointRows } from "./rows/challenge-endpoint-rows.ts";
import { challengeJobRows } from "./rows/challenge-job-rows.ts";
import { challengeLoginRows } from "./rows/challenge-login-rows.ts";
import { challengePlaceRows } from "./rows/challenge-place-rows.ts";

export interface ContestDiagnosis extends Pick<ContestRow, "code" | "what" | "level"> {
  readonly cause: string;
  readonly evidence: string;
  readonly next: string | null;
}

/** The symptoms of a contestant's job, in the order in which they are looked for: what others rest on comes first. */
export const contestTable: readonly ContestRow[] = [
  ...challengePlaceRows,
  ...challengeLoginRows,
  ...challengeJobRows,
  ...challengeEndpointRows,
  ...challengeAgentRows,
];

/** Everything that can be told from what was seen: unlike the end of a run, several things may be wrong at once. */
export function diagnoseContest(seen: ContestSymptoms): ContestDiagnosis[] {
  return contestTable.flatMap((row) => row.find(seen).map((facts) => fillRow(row, facts)));
}

function fillRow({ code, what, level, cause, evidence, next }: ContestRow, facts: ContestFacts) {
  return {
    ...{ code, what, level, cause: fillIn(cause, facts), evidence: fillIn(evidence, facts) },
    next: next === null ? null : fillIn(next, facts),
  };
}

function fillIn(template: string, facts: ContestFacts): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => facts[name] ?? whole);
}
