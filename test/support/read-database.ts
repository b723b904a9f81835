import { existsSync } from "node:fs";
import Database from "libsql";

/** The plans on record, and what became of each. */
export function readPlans(path: string): { id: string; run: string | null }[] {
  if (!existsSync(path)) return [];
  const database = new Database(path, { timeout: 10_000 });
  try {
    const rows = database.prepare("SELECT id, run_id FROM plans").all();
    return rows.map((row) => ({ id: row["id"] as string, run: row["run_id"] as string | null }));
  } catch {
    return []; // killed before its tables were made
  } finally {
    database.close();
  }
}

export function expirePlans(path: string, at: Date): void {
  const database = new Database(path, { timeout: 10_000 });
  database.prepare("UPDATE plans SET expires_at = ? WHERE run_id IS NULL").run(at.toISOString());
  database.close();
}

/** `ok`, or what is wrong with the file. */
export function checkDatabase(path: string): unknown {
  const database = new Database(path, { timeout: 10_000 });
  const row = database.prepare("PRAGMA integrity_check").get();
  database.close();
  return row?.["integrity_check"];
}
