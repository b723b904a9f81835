import { existsSync } from "node:fs";
import Database from "libsql";
import { rollBack } from "./roll-back.ts";
import { explainStoreFault, isBusyFault } from "./store-fault.ts";

export interface KernelLock {
  release(): void;
}

/**
 * Takes a lock that the kernel frees with this process, however it ends; null where another process holds it.
 * It is SQLite's own file lock on an empty database: the same on Linux and macOS, without a helper program.
 * @throws home_unwritable
 */
export function takeKernelLock(path: string): KernelLock | null {
  const database = openLockFile(path);
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (fault) {
    database.close();
    if (isBusyFault(fault)) return null;
    throw explainStoreFault(fault, path);
  }
  return {
    release() {
      rollBack(database);
      database.close();
    },
  };
}

/**
 * Whether another process holds the lock. To look takes a share of it for an instant; a file that is not there is not made.
 * @throws home_unwritable
 */
export function isKernelLockHeld(path: string): boolean {
  if (!existsSync(path)) return false;
  const database = openLockFile(path);
  try {
    database.prepare("SELECT COUNT(*) FROM sqlite_master").get();
    return false;
  } catch (fault) {
    if (isBusyFault(fault)) return true;
    throw explainStoreFault(fault, path);
  } finally {
    database.close();
  }
}

function openLockFile(path: string): Database {
  try {
    return new Database(path, { timeout: 0 });
  } catch (fault) {
    throw explainStoreFault(fault, path);
  }
}
