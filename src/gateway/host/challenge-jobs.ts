import type { LiveJob } from "../api/api-host.ts";
import type { JobParts, RestoredCase } from "../job-parts.ts";
import { JobRun } from "../job-run.ts";
import { countFailures } from "../records/attempts.ts";
import { listCases, requeueCases } from "../records/cases.ts";
import { findJob, type JobRow, jobStatus, markStopping, reviveJob } from "../records/jobs.ts";
import { findUser } from "../records/users.ts";
import type { CaseSpec } from "../simulator.ts";
import type { ChallengeDesk } from "./challenge-desk.ts";
import { findBoardFault } from "./find-board-fault.ts";
import { makeJournal } from "./keep-journal.ts";

const LOOK_AGAIN_MS = 20;

/** The jobs of a hosted gateway: as they are on record, and as they run. */
export class ChallengeJobs {
  readonly #desk: ChallengeDesk;
  readonly #live = new Map<number, JobRun>();
  readonly #waits = new Map<number, string>();

  constructor(desk: ChallengeDesk) {
    this.#desk = desk;
  }

  get live(): ReadonlyMap<number, JobRun> {
    return this.#live;
  }

  /** What is wrong with the boards of jobs that live, by the job's number. */
  get waits(): ReadonlyMap<number, string> {
    return this.#waits;
  }

  find(id: number): JobRun | undefined {
    return this.#live.get(id);
  }

  /**
   * Lets a job that is on record run: its agents may dial. That of a user who was deleted ends. `findRestored`: its cases that
   * go on after a restart. Where the database cannot be read it throws, and nothing has happened.
   */
  open(id: number, findRestored: (specs: readonly CaseSpec[]) => readonly RestoredCase[] = () => []): void {
    const { records, config, side } = this.#desk;
    const row = findJob(records, id);
    if (row === undefined || this.#live.has(id)) return;
    const run = new JobRun(this.#makeParts(row), side.host);
    const restored = findRestored(run.parts.cases);
    const hasUser = findUser(records, row.userId) !== undefined;
    const boardFault = findBoardFault(config, records, row);
    side.jobs.add(run);
    this.#live.set(id, run);
    if (boardFault !== undefined) this.#noteBoard(row, run, boardFault);
    void run.ended.then(() => {
      this.#live.delete(id);
      this.#waits.delete(id);
    });
    run.start(restored);
    if (!hasUser) this.stop(id, "its user was deleted");
  }

  /** Tells agents of a job that has ended so, when they dial again. A job that lives does that itself. */
  bidFarewell(id: number, farewells: readonly string[]): void {
    const row = findJob(this.#desk.records, id);
    if (row === undefined || this.#live.has(id)) return;
    const { uuid, tokenHash, userId, parallelism } = row;
    const owner = String(userId);
    const parts: JobParts = { uuid, tokenHash, owner, parallelism, cases: [], doom: "stopped", farewells };
    const run = new JobRun(parts, this.#desk.side.host);
    this.#desk.side.jobs.add(run);
    run.start();
  }

  /** Ends a job early. False where it has ended. */
  stop(id: number, reason: string): boolean {
    const run = this.#live.get(id);
    if (run === undefined || run.state !== "running") return false;
    this.#desk.ledger.write(() => markStopping(this.#desk.records, id, reason));
    run.drain();
    return true;
  }

  /** Opens a job anew that has ended, with all of its cases that did not end well, and those that are named. */
  revive(id: number, named: readonly number[]): void {
    const { records } = this.#desk;
    const row = findJob(records, id);
    if (row === undefined || this.#live.has(id)) return;
    records.together(() => {
      requeueCases(records, id, named);
      reviveJob(records, id);
    });
    this.#desk.side.jobs.forget(row.uuid);
    this.open(id);
  }

  /** What a job does now; undefined: it has ended. */
  describe(id: number): LiveJob | undefined {
    const run = this.#live.get(id);
    if (run === undefined) return undefined;
    const connected = Array.from(run.tunnels.values()).filter(({ link }) => link !== undefined).length;
    return { connected, playing: this.#desk.side.host.scheduler.countPlaying(run) };
  }

  /** Whether a case waits for a seat, to go on with the agent that had it before a restart. */
  isAwaited(jobId: number, caseId: number): boolean {
    return this.#live.get(jobId)?.isAwaited(caseId) ?? false;
  }

  /** Waits until no case is played, `graceMs` at most. */
  async waitUntilNonePlays(graceMs: number): Promise<void> {
    const { clock, side } = this.#desk;
    const untilMs = clock.monotonicMs() + graceMs;
    const isPlaying = () => [...this.#live.values()].some((run) => side.host.scheduler.countPlaying(run) > 0);
    while (isPlaying() && clock.monotonicMs() < untilMs) await clock.sleep(LOOK_AGAIN_MS);
  }

  /** A job that waits for its board does so for ever, unless the organiser hears of it. */
  #noteBoard(row: JobRow, { parts }: JobRun, why: string): void {
    if (parts.doom !== undefined) return;
    this.#waits.set(row.id, why);
    this.#desk.report(row.uuid, "", { type: "job_waits", why });
  }

  #makeParts(row: JobRow): JobParts {
    const { records, config } = this.#desk;
    return {
      uuid: row.uuid,
      tokenHash: row.tokenHash,
      owner: String(row.userId),
      parallelism: row.parallelism,
      ...this.#describeCases(row),
      attempts: config.caseAttempts,
      failures: countFailures(records, row.id),
      limits: config.simulators,
      journal: makeJournal(row, this.#desk),
    };
  }

  /** What is still to be played, and whether a case failed for good already: then the gateway died before its job had. */
  #describeCases({ id, board, status }: JobRow): Pick<JobParts, "cases" | "doom"> {
    const all = listCases(this.#desk.records, id);
    const open = all.filter(({ state }) => state === "waiting" || state === "playing");
    const cases = open.map(({ id: caseId, task, index, seed }) => ({ id: caseId, board, task, index, seed }));
    if (all.some(({ state }) => state === "failed")) return { cases, doom: "failed" };
    return { cases, doom: status === jobStatus.stopping ? "stopped" : undefined };
  }
}
