import { describeFault, SortieError } from "../base/error.ts";

/** How long a call waits for another process to finish its change. */
export const BUSY_TIMEOUT_MS = 10_000;

/** SQLite's own fault as one that says what to do; others pass unchanged. */
export function explainStoreFault(fault: unknown, path: string): unknown {
  if (fault instanceof SortieError) return fault;
  const reason = describeFault(fault);
  const code = String((fault as { code?: unknown }).code ?? "");
  if (/NOTADB|CORRUPT/.test(code) || /not a database|malformed/.test(reason)) {
    return new SortieError("store_corrupt", { path, reason }, fault);
  }
  if (/BUSY|LOCKED/.test(code))
    return new SortieError("store_busy", { path, seconds: BUSY_TIMEOUT_MS / 1000 }, fault);
  if (/FULL|IOERR|READONLY|CANTOPEN|EACCES|EROFS|ENOSPC|ENOTDIR|ENOENT|EISDIR/.test(code)) {
    return new SortieError("home_unwritable", { path, reason }, fault);
  }
  return fault;
}
