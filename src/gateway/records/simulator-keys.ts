import type { Store } from "../../store/store.ts";
import { hashToken, makeJobToken } from "../job-token.ts";

/** Makes a key with which simulators of a board may dial. It is told once; its hash is kept. */
export function insertSimulatorKey(records: Store, board: string, now: Date): { id: number; key: string } {
  const key = makeJobToken();
  const hash = hashToken(key);
  records.change(
    "INSERT INTO simulators (board, key_hash, created_at) VALUES (?, ?, ?)",
    board,
    hash,
    now.toISOString(),
  );
  const id = records.find("SELECT id FROM simulators WHERE key_hash = ?", hash)?.["id"] as number;
  return { id, key };
}

/** The board that a key opens. Looked up by its hash, so that the time it takes says nothing of the key. */
export function findSimulatorBoard(records: Store, key: string): string | undefined {
  const sql = "SELECT board FROM simulators WHERE key_hash = ? AND revoked_at IS NULL";
  return records.find(sql, hashToken(key))?.["board"] as string | undefined;
}

export interface SimulatorKeyRow {
  readonly id: number;
  readonly board: string;
  readonly createdAt: string;
}

export function listSimulatorKeys(records: Store): SimulatorKeyRow[] {
  return records
    .list("SELECT id, board, created_at FROM simulators WHERE revoked_at IS NULL ORDER BY id")
    .map((row) => ({
      id: row["id"] as number,
      board: row["board"] as string,
      createdAt: row["created_at"] as string,
    }));
}

/** False where there is none, or it was revoked before. */
export function revokeSimulatorKey(records: Store, id: number, now: Date): boolean {
  const sql = "UPDATE simulators SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL";
  return records.change(sql, now.toISOString(), id) === 1;
}
