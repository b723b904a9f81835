import { SortieError } from "../base/error.ts";
import type { JobParts } from "./job-parts.ts";
import type { JobRun } from "./job-run.ts";
import { isTokenOf } from "./job-token.ts";

/** So many ended jobs are known by name; a dial to an older one is told that there is no such job. */
const MOST_ENDED = 1_000;

/** Who dials: with the token of a job, or with the login of its owner. */
export interface Dialer {
  readonly token: string;
  readonly owner?: string;
}

/** The jobs of a gateway. Of one that has ended only its name and its token are kept, to tell late agents so. */
export class JobTable {
  readonly #live = new Map<string, JobRun>();
  readonly #ended = new Map<string, JobParts>();

  /** Those that have not ended. */
  get live(): Iterable<JobRun> {
    return this.#live.values();
  }

  /** @throws SortieError `job_exists` */
  add(run: JobRun): void {
    const { uuid } = run;
    if (this.#live.has(uuid) || this.#ended.has(uuid)) throw new SortieError("job_exists", { uuid });
    this.#live.set(uuid, run);
    void run.ended.then(() => this.#retire(run));
  }

  /** The job that a dial opens, `ended` where it did so before; undefined: there is none, or not for this one. */
  find(uuid: string, dialer: Dialer): JobRun | "ended" | undefined {
    const run = this.#live.get(uuid);
    if (run !== undefined) return mayOpen(run.parts, dialer) ? run : undefined;
    const ended = this.#ended.get(uuid);
    return ended !== undefined && mayOpen(ended, dialer) ? "ended" : undefined;
  }

  /** Makes room for a job that begins anew: whatever is left of its last run ends now. */
  forget(uuid: string): void {
    const run = this.#live.get(uuid);
    this.#live.delete(uuid);
    this.#ended.delete(uuid);
    run?.giveUp("job_over", "the job has ended");
  }

  #retire(run: JobRun) {
    const { uuid, parts } = run;
    if (this.#live.get(uuid) !== run) return;
    this.#live.delete(uuid);
    this.#ended.set(uuid, { ...parts, cases: [], journal: undefined });
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MOST_ENDED && oldest !== undefined) this.#ended.delete(oldest);
  }
}

function mayOpen({ tokenHash, owner }: JobParts, dialer: Dialer): boolean {
  return isTokenOf(tokenHash, dialer.token) || dialer.owner === owner;
}
