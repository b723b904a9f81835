import { describeFault, SortieError } from "../base/error.ts";
import type { CaseEnd } from "./gateway-options.ts";
import type { Session } from "./session.ts";
import type { CaseSpec, Simulator } from "./simulator.ts";

/** Lets a simulator play a case over a session until it is done, or until `signal` gives it up. Never rejects. */
export async function playCase(
  simulator: Simulator,
  session: Session,
  spec: CaseSpec,
  signal: AbortSignal,
): Promise<Omit<CaseEnd, "agentId">> {
  const played = new AbortController();
  try {
    const { score, steps, detail } = await Promise.race([
      simulator(session, spec, session.signal),
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

/** Rejects when the signal aborts; `done` ends the waiting. */
function waitForAbort(signal: AbortSignal, done: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { signal: done });
  });
}

function describeFailure(session: Session, thrown: unknown): Pick<CaseEnd, "failure" | "detail"> {
  if (session.loss !== undefined) return { failure: session.loss.failure, detail: session.loss.detail };
  const failure =
    thrown instanceof SortieError && thrown.code === "policy_failed" ? "agent_error" : "simulator_error";
  return { failure, detail: describeFault(thrown) };
}
