import type { Verdict } from "../runs/judge-run.ts";
import type { RunRecord } from "../runs/run-record.ts";
import type { Target } from "../targets/target.ts";

/** The end of a run as its record keeps it: what happened, the evidence, and what to do next. */
export async function explainEnd(
  _target: Target,
  _run: RunRecord,
  verdict: Verdict,
): Promise<Partial<RunRecord>> {
  const { endReason, exitCode, endedAt, durationS } = verdict;
  return { endReason, exitCode, endedAt, durationS, evidence: verdict.evidence, nextStep: null };
}
