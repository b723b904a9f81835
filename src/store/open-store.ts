import { chmodSync, closeSync, existsSync, openSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { pauseSync } from "../base/clock.ts";
import { SortieError } from "../base/error.ts";
import { isOnNetwork } from "./file-system.ts";
import { rollBack } from "./roll-back.ts";
import { MIGRATIONS } from "./schema.ts";
import { Store } from "./store.ts";
import { BUSY_TIMEOUT_MS, explainStoreFault, isBusyFault } from "./store-fault.ts";

export interface StoreOptions {
  /** Called before an older database is changed: whoever works with the old tables must leave. */
  readonly beforeMigrating?: (found: number) => void;
  /** Default: the tables of this version. */
  readonly migrations?: readonly string[];
  /** Whether a folder lies on a network file system; default: the kernel is asked. */
  readonly isOnNetwork?: (folder: string) => boolean;
}

const RETRY_MS = 10;

/**
 * Opens the database, making or migrating it where needed. A damaged or newer one is never written.
 * @throws store_corrupt, store_newer, store_busy, home_unwritable
 */
export function openStore(path: string, options: StoreOptions = {}): Store {
  try {
    createPrivately(path);
    const database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      waitWhileBusy(() => migrate(database, path, options));
    } catch (fault) {
      database.close();
      throw fault;
    }
    return new Store(database, path);
  } catch (fault) {
    throw explainStoreFault(fault, path);
  }
}

/**
 * The file holds commands and paths of its owner: nobody else reads it. One that is there is not opened here, since
 * closing it would free SQLite's locks on it in the whole process: another process would then take itself for the last
 * one, and remove the journal that this one writes to.
 */
function createPrivately(path: string): void {
  if (!existsSync(path)) createOnce(path);
  const { size } = checkFile(path);
  const { size: written = 0 } = statSync(`${path}-wal`, { throwIfNoEntry: false }) ?? {};
  if (size === 0 && written > 0)
    throw new SortieError("store_corrupt", { path, reason: `it is empty, and ${path}-wal is not` });
  chmodSync(path, 0o600);
}

function checkFile(path: string): Stats {
  const stats = statSync(path);
  if (stats.isFile()) return stats;
  const reason = `it is ${stats.isDirectory() ? "a folder" : "no regular file"}`;
  throw new SortieError("home_unwritable", { path, reason });
}

function createOnce(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== "EEXIST") throw fault; // else another process was quicker
  }
}

/** Changing the journal does not wait for other processes, as all else does: it is tried again for as long. */
function waitWhileBusy(work: () => void): void {
  const until = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      work();
      return;
    } catch (fault) {
      if (!isBusyFault(fault) || performance.now() > until) throw fault;
      pauseSync(RETRY_MS);
    }
  }
}

function migrate(database: Database, path: string, options: StoreOptions): void {
  const { migrations = MIGRATIONS, beforeMigrating } = options;
  database.pragma("synchronous = NORMAL");
  const found = readVersion(database);
  if (found === migrations.length) return;
  refuseNewer(found, migrations, path);
  if (found > 0) beforeMigrating?.(found);
  else refuseForeign(database, path);
  chooseJournal(database, path, options);
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have migrated while this one waited for the lock.
    const now = readVersion(database);
    refuseNewer(now, migrations, path);
    for (const migration of migrations.slice(now)) database.exec(migration);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec("COMMIT");
  } catch (fault) {
    rollBack(database);
    throw fault;
  }
}

function refuseNewer(found: number, { length: known }: readonly string[], path: string): void {
  if (found > known) throw new SortieError("store_newer", { path, found, known });
}

/** What has tables and no version is not ours to write; tables that another process made just now come with theirs. */
function refuseForeign(database: Database, path: string): void {
  const isEmpty = database.prepare("SELECT 1 FROM sqlite_master").get() === undefined;
  if (isEmpty || readVersion(database) > 0) return;
  throw new SortieError("store_corrupt", { path, reason: "it has tables, and they are none of Sortie's" });
}

/** The journal mode stays in the file: it is chosen once, when the file is made or migrated. */
function chooseJournal(database: Database, path: string, options: StoreOptions): void {
  const onNetwork = (options.isOnNetwork ?? isOnNetwork)(dirname(path));
  database.pragma(`journal_mode = ${onNetwork ? "DELETE" : "WAL"}`);
}

function readVersion(database: Database): number {
  const row = database.prepare("PRAGMA user_version").get();
  return Number(row?.["user_version"] ?? 0);
}
