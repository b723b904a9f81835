import type { CaseEnd } from "./case-end.ts";
import { STARTUP_RECONCILE } from "./session-loss.ts";

/** How often the cases of a job failed, and whether one may be begun again. */
export class Retries {
  readonly #attempts: number | undefined;
  readonly #failures: Map<number | undefined, number>;

  /** `attempts`: how often a case may be begun; undefined: once. `failures`: those before a restart, by the number of the case. */
  constructor(attempts: number | undefined, failures?: ReadonlyMap<number, number>) {
    this.#attempts = attempts;
    this.#failures = new Map(failures);
  }

  /** Counts a failure, and says whether the case may be begun again. */
  isAllowed({ spec, failure, detail }: CaseEnd): boolean {
    if (this.#attempts === undefined || failure === undefined) return false;
    // What was not the contestant's doing costs no attempt.
    if (failure === "simulator_left" || detail === STARTUP_RECONCILE) return true;
    const failures = (this.#failures.get(spec.id) ?? 0) + 1;
    this.#failures.set(spec.id, failures);
    return failures < this.#attempts;
  }
}
