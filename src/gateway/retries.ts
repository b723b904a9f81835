import type { CaseEnd, CaseFailure } from "./case-end.ts";
import { STARTUP_RECONCILE } from "./session-loss.ts";

/** So often a case is begun again that failed by its simulator: one that always does would be played for ever. */
const MOST_SIMULATOR_FAULTS = 20;

/** What is not the contestant's doing costs no attempt of his. */
const platformFailures: ReadonlySet<CaseFailure> = new Set(["simulator_left", "simulator_error"]);

/** How often the cases of a job failed, and whether one may be begun again. */
export class Retries {
  readonly #attempts: number | undefined;
  readonly #failures: Map<number | undefined, number>;
  readonly #simulatorFaults = new Map<number | undefined, number>();

  /**
   * `attempts`: how often a case may be begun; undefined: once. `failures`: those before a restart, by the number of the
   * case.
   */
  constructor(attempts: number | undefined, failures?: ReadonlyMap<number, number>) {
    this.#attempts = attempts;
    this.#failures = new Map(failures);
  }

  /** Counts a failure, and says whether the case may be begun again. */
  isAllowed({ spec, failure, detail }: CaseEnd): boolean {
    if (this.#attempts === undefined || failure === undefined) return false;
    if (detail === STARTUP_RECONCILE) return true;
    const isPlatform = platformFailures.has(failure);
    const counts = isPlatform ? this.#simulatorFaults : this.#failures;
    const failures = (counts.get(spec.id) ?? 0) + 1;
    counts.set(spec.id, failures);
    return failures < (isPlatform ? MOST_SIMULATOR_FAULTS : this.#attempts);
  }
}
