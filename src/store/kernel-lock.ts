import Database from "libsql";

export interface KernelLock {
  release(): void;
}

/**
 * Takes a lock that the kernel frees with this process, however it ends; null where another process holds it.
 * It is SQLite's own file lock on an empty database: the same on Linux and macOS, without a helper program.
 */
export function takeKernelLock(path: string): KernelLock | null {
  const database = new Database(path, { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch {
    database.close(); // held by another process: that is the answer
    return null;
  }
  return {
    release() {
      database.exec("ROLLBACK");
      database.close();
    },
  };
}
