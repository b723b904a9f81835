import type { Store } from "../../store/store.ts";

/**
 * The table that counts what may have changed on a board. Triggers count, so that no way to change a score goes past them: an
 * organiser's command is another process.
 */
export const boardChanges = `
  CREATE TABLE board_changes (board TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT;
  CREATE TRIGGER board_changes_score AFTER UPDATE OF status, score ON jobs WHEN 2 IN (OLD.status, NEW.status) BEGIN
    INSERT INTO board_changes (board, number) VALUES (NEW.board, 1) ON CONFLICT (board) DO UPDATE SET number = number + 1;
  END;
  CREATE TRIGGER board_changes_user AFTER UPDATE OF name, deleted_at ON users BEGIN
    UPDATE board_changes SET number = number + 1;
  END;`;

/** How often a board changed; as long as this is the same, so is its leaderboard. */
export function countBoardChanges(records: Store, board: string): number {
  const row = records.find("SELECT number FROM board_changes WHERE board = ?", board);
  return (row?.["number"] as number | undefined) ?? 0;
}
