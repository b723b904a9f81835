import { SortieError } from "../base/error.ts";
import type { JobRun } from "./job-run.ts";
import { isTokenOf } from "./job-token.ts";

/** So many ended jobs are known by name; a dial to an older one is told that there is no such job. */
const MOST_ENDED = 1_000;

/** The jobs of a gateway. Of one that has ended only its name and its token are kept, to tell late agents so. */
export class JobTable {
  readonly #live = new Map<string, JobRun>();
  /** The hashes of their tokens. */
  readonly #ended = new Map<string, Buffer>();

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

  /** The job that a token opens, `ended` where it did so before; undefined: there is none, or not with this token. */
  find(uuid: string, token: string): JobRun | "ended" | undefined {
    const run = this.#live.get(uuid);
    if (run !== undefined) return isTokenOf(run.tokenHash, token) ? run : undefined;
    const hash = this.#ended.get(uuid);
    return hash !== undefined && isTokenOf(hash, token) ? "ended" : undefined;
  }

  #retire({ uuid, tokenHash }: JobRun) {
    this.#live.delete(uuid);
    this.#ended.set(uuid, tokenHash);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MOST_ENDED && oldest !== undefined) this.#ended.delete(oldest);
  }
}
