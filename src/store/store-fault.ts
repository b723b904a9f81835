import { describeFault, SortieError } from "../base/error.ts";

/** How long a call waits for another process to finish its change. */
export const BUSY_TIMEOUT_MS = 10_000;

const UNWRITABLE =
  /^(SQLITE_(FULL|IOERR|READONLY|CANTOPEN|PERM)|EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EIO|ENOTDIR|ENOENT|EISDIR)/;

/** SQLite's own fault as one that says what to do; others pass unchanged. `waitedMs`: for another process, at most. */
export function explainStoreFault(fault: unknown, path: string, waitedMs = BUSY_TIMEOUT_MS): unknown {
  if (fault instanceof SortieError) return fault;
  const reason = describeFault(fault);
  const code = findCode(fault);
  if (/NOTADB|CORRUPT/.test(code) || /not a database|malformed/.test(reason)) {
    return new SortieError("store_corrupt", { path, reason }, fault);
  }
  if (isBusyFault(fault)) {
    return new SortieError("store_busy", { path, seconds: waitedMs / 1000 }, fault);
  }
  // What the driver says when a file cannot be opened at all has no code.
  const unopened = /^ConnectionFailed/.test(reason);
  if (unopened || UNWRITABLE.test(code)) {
    return new SortieError("home_unwritable", { path, reason }, fault);
  }
  return fault;
}

/** Whether another process holds the file. */
export function isBusyFault(fault: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(findCode(fault));
}

function findCode(fault: unknown): string {
  return String((fault as { code?: unknown }).code ?? "");
}
