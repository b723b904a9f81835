/** How a fleet ended. */
export interface FleetOutcome {
  /** Every agent that was needed has ended drained. */
  readonly isDrained: boolean;
  /** Those that ended otherwise, and why. */
  readonly others: readonly { readonly number: number; readonly run: string; readonly why: string }[];
}

/** What counts of an agent that has ended. */
interface Ended {
  readonly number: number;
  readonly run: string;
  readonly state: string;
  readonly note: string | null;
  readonly hasStarted: boolean;
  readonly wasReady: boolean;
}

/**
 * Of agents that have all ended. One that was not started, or was refused at its first dial, because the job was done before
 * its turn came is no failure; one that was killed is, also where the others finished the job without it.
 */
export function judgeOutcome(agents: readonly Ended[]): FleetOutcome {
  const hasDrained = agents.some(({ state }) => state === "drained");
  const others = agents
    .filter((agent) => agent.state !== "drained" && !(hasDrained && isTooLate(agent)))
    .map(({ number, run, state, note }) => ({ number, run, why: note ?? state }));
  return { isDrained: agents.length > 0 && others.length === 0, others };
}

/** A gateway takes no agent of a job that has ended: it answers the dial with 401. */
function isTooLate({ state, hasStarted, wasReady, note }: Ended): boolean {
  if (state === "stopped") return !hasStarted;
  return state === "failed" && !wasReady && /\(401\b/.test(note ?? "");
}

/** A clause for people. */
export function describeOutcome({ isDrained, others }: FleetOutcome): string {
  if (isDrained) return "drained";
  if (others.length === 0) return "its runs were forgotten";
  return others
    .map(({ number, run, why }) => `agent ${number} (${run}): ${why.replace(/\.$/, "")}`)
    .join("; ");
}
