import { describeFault, SortieError } from "../base/error.ts";
import type { ErrorCode } from "../base/errors/table.ts";
import type { CaseEnd, CaseFailure } from "./case-end.ts";
import type { Session } from "./session.ts";
import type { CaseSpec, Policy, Simulator } from "./simulator.ts";

export interface Play {
  readonly simulator: Simulator;
  /** What the simulator asks: the session, or what stands before it. */
  readonly policy: Policy;
  readonly session: Session;
  readonly spec: CaseSpec;
  /** Gives the case up. */
  readonly signal: AbortSignal;
}

/** Lets a simulator play a case over a session until it is done, or until `signal` gives it up. Never rejects. */
export async function playCase(play: Play): Promise<Omit<CaseEnd, "agentId">> {
  const { simulator, policy, session, spec, signal } = play;
  const played = new AbortController();
  try {
    const { score, steps, detail } = await Promise.race([
      simulator(policy, spec, session.signal),
      waitForAbort(signal, played.signal),
    ]);
    if (score === null || (score >= 0 && score <= 1)) return { spec, result: { score, steps, detail } };
    return { spec, failure: "simulator_error", detail: `the simulator gave the score ${score}` };
  } catch (thrown) {
    return { spec, ...describeFailure(session, thrown) };
  } finally {
    played.abort();
  }
}

const failureByCode: Partial<Record<ErrorCode, CaseFailure>> = {
  policy_failed: "agent_error",
  simulator_left: "simulator_left",
};

/**
 * Rejects when the signal aborts; `done` ends the waiting. The listener is taken away by hand: Node holds what it would take
 * it away with by `{signal}` only weakly, so that of many cases of a job it stays.
 */
function waitForAbort(signal: AbortSignal, done: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const giveUp = () => reject(signal.reason);
    signal.addEventListener("abort", giveUp);
    done.addEventListener("abort", () => signal.removeEventListener("abort", giveUp), { once: true });
  });
}

function describeFailure(session: Session, thrown: unknown): Pick<CaseEnd, "failure" | "detail"> {
  if (session.loss !== undefined) return { failure: session.loss.failure, detail: session.loss.detail };
  const code = thrown instanceof SortieError ? thrown.code : undefined;
  const failure = code && failureByCode[code];
  const detail = describeFault(thrown);
  if (failure !== undefined) return { failure, detail };
  // It stands beside the faults of agents, and has to say whose it is.
  const isNamed = /simulator/i.test(detail);
  return { failure: "simulator_error", detail: isNamed ? detail : `the simulator failed: ${detail}` };
}
