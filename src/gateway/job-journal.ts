import type { CaseEnd, JobEnd } from "./case-end.ts";
import type { CaseSpec, Policy } from "./simulator.ts";

/** Where a job writes down what must outlive the gateway. Of an embedded gateway nothing must. */
export interface JobJournal {
  /**
   * A case is given to an agent. Where it has an owner already the database refuses that: it is told as a fault, and what
   * becomes of this session is not taken for what became of the case.
   */
  begin(spec: CaseSpec, sessionId: string, agentId: string): void;
  /** A reply was taken, the number-th of its session; the simulator gets it after this returns. */
  keepReply(sessionId: string, number: number, payload: Uint8Array): void;
  /** The policy as its simulator gets it, and what is told of the end of the case. */
  record(spec: CaseSpec, policy: Policy, agentId: string): RecordedPolicy;
  /** `retried`: it is begun again. A case that never began has no session. */
  end(end: CaseEnd, sessionId: string | undefined, retried: boolean): void;
  /** An agent changed. */
  noteAgent(agentId: string): void;
  /** Every case has an end. Calls `whenWritten` once that is on record, at once or later: then agents may go. */
  settle(end: JobEnd, whenWritten: () => void): void;
}

export interface RecordedPolicy {
  readonly policy: Policy;
  close(end: Omit<CaseEnd, "agentId">): void;
}
