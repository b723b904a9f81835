import { chmodSync, closeSync, openSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { SortieError } from "../base/error.ts";
import { MIGRATIONS } from "./schema.ts";
import { Store } from "./store.ts";
import { BUSY_TIMEOUT_MS, explainStoreFault } from "./store-fault.ts";

/** File systems on which shared memory, and so WAL, does not work: NFS, SMB, CIFS, SMB2, AFS, 9p, Lustre, GPFS, FUSE, Ceph. */
const NETWORK_FILE_SYSTEMS = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x01021997, 0x0bd00bd0, 0x47504653, 0x65735546,
  0x00c36400,
]);

/**
 * Opens the database, making or migrating it where needed. A damaged or newer one is never written.
 * @throws store_corrupt, store_newer, store_busy, home_unwritable
 */
export function openStore(path: string): Store {
  try {
    createPrivately(path);
    const database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      migrate(database, path);
    } catch (fault) {
      database.close();
      throw fault;
    }
    return new Store(database, path);
  } catch (fault) {
    throw explainStoreFault(fault, path);
  }
}

/** The file holds commands and paths of its owner: nobody else reads it. */
function createPrivately(path: string): void {
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}

function migrate(database: Database, path: string): void {
  database.pragma("synchronous = NORMAL");
  if (readVersion(database) === MIGRATIONS.length) return;
  refuseNewer(database, path);
  chooseJournal(database, path);
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have migrated while this one waited for the lock.
    refuseNewer(database, path);
    for (let version = readVersion(database); version < MIGRATIONS.length; version += 1) {
      database.exec(MIGRATIONS[version] as string);
    }
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    database.exec("COMMIT");
  } catch (fault) {
    database.exec("ROLLBACK");
    throw fault;
  }
}

function refuseNewer(database: Database, path: string): void {
  const found = readVersion(database);
  if (found > MIGRATIONS.length) {
    throw new SortieError("store_newer", { path, found, known: MIGRATIONS.length });
  }
}

/** The journal mode stays in the file: it is chosen once, when the file is made or migrated. */
function chooseJournal(database: Database, path: string): void {
  const onNetwork = NETWORK_FILE_SYSTEMS.has(statfsSync(dirname(path)).type);
  database.pragma(`journal_mode = ${onNetwork ? "DELETE" : "WAL"}`);
}

function readVersion(database: Database): number {
  const row = database.prepare("PRAGMA user_version").get();
  return Number(row?.["user_version"] ?? 0);
}
