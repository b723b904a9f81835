import type Database from "libsql";
import type { Statement } from "libsql";
import { SortieError } from "../base/error.ts";
import { rollBack } from "./roll-back.ts";
import { BUSY_TIMEOUT_MS, explainStoreFault } from "./store-fault.ts";

export type Row = Readonly<Record<string, unknown>>;

/** One open database. Statements are prepared once; every call is synchronous and short. */
export class Store {
  readonly path: string;
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();
  #depth = 0;
  #waitMs = BUSY_TIMEOUT_MS;
  #damage: string | undefined;

  constructor(database: Database, path: string) {
    this.#database = database;
    this.path = path;
  }

  /** What was found to be wrong with the file, by any call so far; undefined: nothing. */
  get damage(): string | undefined {
    return this.#damage;
  }

  /** Runs a change; the number of rows that it changed. */
  change(sql: string, ...values: unknown[]): number {
    return this.#guard(() => this.#prepare(sql).run(values).changes);
  }

  /** The first row, or undefined. */
  find(sql: string, ...values: unknown[]): Row | undefined {
    return this.#guard(() => this.#prepare(sql).get(values));
  }

  /** Every row. */
  list(sql: string, ...values: unknown[]): Row[] {
    return this.#guard(() => this.#prepare(sql).all(values));
  }

  /** All that `work` does happens, or nothing of it; other processes wait. Calls may nest. */
  together<Result>(work: () => Result): Result {
    if (this.#depth > 0) return work();
    this.#guard(() => this.#database.exec("BEGIN IMMEDIATE"));
    this.#depth += 1;
    try {
      const result = work();
      this.#guard(() => this.#database.exec("COMMIT"));
      return result;
    } catch (fault) {
      rollBack(this.#database);
      throw fault;
    } finally {
      this.#depth -= 1;
    }
  }

  /**
   * From now on a call waits no longer than this for another process to finish its change; then it throws `store_busy`. For a
   * process that has others to answer meanwhile: a call that waits holds up everything.
   */
  limitWait(ms: number): void {
    this.#guard(() => this.#database.pragma(`busy_timeout = ${ms}`));
    this.#waitMs = ms;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #guard<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (fault) {
      const explained = explainStoreFault(fault, this.path, this.#waitMs);
      if (explained instanceof SortieError && explained.code === "store_corrupt")
        this.#damage ??= String(explained.details["reason"]);
      throw explained;
    }
  }
}
