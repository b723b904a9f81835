import type { RunRecord } from "../../runs/run-record.ts";
import { isEnded } from "../../runs/states.ts";

/** How a fleet ended. */
export interface FleetOutcome {
  /** Every agent that was started has ended drained. */
  readonly isDrained: boolean;
  /** Those that ended otherwise, and why. */
  readonly others: readonly { readonly number: number; readonly run: string; readonly why: string }[];
}

/**
 * null while an agent lives. An agent that was never started because the job was drained before its turn came is no
 * failure; one that was killed is, also where the others finished the job without it.
 */
export function judgeOutcome(
  runs: readonly Pick<
    RunRecord,
    "name" | "state" | "seat" | "startedAt" | "cause" | "endReason" | "exitCode"
  >[],
): FleetOutcome | null {
  if (runs.some(({ state }) => !isEnded(state))) return null;
  const hasDrained = runs.some(({ state }) => state === "succeeded");
  const others = runs
    .filter(
      (run) =>
        run.state !== "succeeded" && !(hasDrained && run.state === "stopped" && run.startedAt === null),
    )
    .map(({ seat, name, state, cause, endReason }) => ({
      ...{ number: seat?.number ?? 0, run: name },
      why: cause ?? endReason?.replaceAll("_", " ") ?? state,
    }));
  return { isDrained: runs.length > 0 && others.length === 0, others };
}

/** A clause for people. */
export function describeOutcome({ isDrained, others }: FleetOutcome): string {
  if (isDrained) return "all agents drained";
  if (others.length === 0) return "its runs were forgotten";
  return others
    .map(({ number, run, why }) => `agent ${number} (${run}): ${why.replace(/\.$/, "")}`)
    .join("; ");
}
