import type Database from "libsql";

/** Takes back what a failed transaction did. */
export function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // SQLite itself took it back (a full disk, a read fault): the fault that led here is the one to tell
  }
}
