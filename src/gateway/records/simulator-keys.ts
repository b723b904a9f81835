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

/**
 * The board that a key opened when it was revoked, where a case was begun before: what was played with it still counts.
 * undefined: it was not revoked, or opens nothing of that case.
 */
export function findBoardOfRevoked(records: Store, key: string, caseId: number): string | undefined {
  const row = records.find(
    `SELECT simulators.board FROM simulators JOIN jobs ON jobs.board = simulators.board
     JOIN cases ON cases.job_id = jobs.id
     WHERE simulators.key_hash = ? AND cases.id = ? AND simulators.revoked_at >
       (SELECT started_at FROM attempts WHERE job_id = jobs.id AND case_id = cases.id ORDER BY id DESC LIMIT 1)`,
    hashToken(key),
    caseId,
  );
  return row?.["board"] as string | undefined;
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
