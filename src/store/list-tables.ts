import { closeSync, openSync, readSync } from "node:fs";
import Database from "libsql";

const SQLITE_HEADER = "SQLite format 3\0";

/**
 * The names of the tables in a file that nobody of this process has open; undefined where it is no whole database. Nothing is
 * made or changed. Throws what the file system does where it cannot be read.
 */
export function listTables(path: string): string[] | undefined {
  if (readStart(path, SQLITE_HEADER.length) !== SQLITE_HEADER) return undefined;
  try {
    const database = new Database(path, { readonly: true });
    try {
      const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
      return rows.map((row) => String(row["name"]));
    } finally {
      database.close();
    }
  } catch {
    return undefined; // it begins as one, and is damaged
  }
}

function readStart(path: string, length: number): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(length);
    return bytes.toString("latin1", 0, readSync(file, bytes, 0, length, 0));
  } finally {
    closeSync(file);
  }
}
