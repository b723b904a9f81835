import type { Session } from "./session.ts";
import type { CaseSpec } from "./simulator.ts";
import type { Tunnel } from "./tunnel.ts";

/** A case that goes on after a restart, once its simulator begins. */
export interface AwaitedCase {
  readonly spec: CaseSpec;
  readonly tunnel: Tunnel;
  readonly session: Session;
}

/** The sessions of a job from before a restart, until they go on or are given up. */
export class RestoredSessions {
  readonly #cases = new Map<CaseSpec, AwaitedCase>();

  add(awaited: AwaitedCase): void {
    this.#cases.set(awaited.spec, awaited);
  }

  list(): AwaitedCase[] {
    return [...this.#cases.values()];
  }

  find(caseId: number): AwaitedCase | undefined {
    return this.list().find(({ spec }) => spec.id === caseId);
  }

  /** As `find`, of one that had an action; it waits no longer. */
  takeBegun(caseId: number): AwaitedCase | undefined {
    const awaited = this.find(caseId);
    if (awaited === undefined || awaited.session.replies === 0) return undefined;
    this.#cases.delete(awaited.spec);
    return awaited;
  }

  /** It waits no longer. undefined: it did not wait. */
  take(spec: CaseSpec): Session | undefined {
    const session = this.#cases.get(spec)?.session;
    this.#cases.delete(spec);
    return session;
  }
}
