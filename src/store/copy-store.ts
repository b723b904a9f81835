import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { SortieError } from "../base/error.ts";
import { writeNewFile } from "../disk/new-file.ts";
import type { Store } from "./store.ts";

/**
 * Writes all that is in a database now into a file of its own, mode 0600, while others go on writing to the database. It
 * is made beside its place, checked, and put there whole: over the old file with `replace`, else EEXIST.
 */
export function copyStore(store: Store, path: string, options: { readonly replace: boolean }): void {
  const mark = globalThis.crypto.getRandomValues(Buffer.alloc(4)).toString("hex");
  const beside = `${path}.${mark}.tmp`;
  try {
    writeNewFile(beside, "", { mode: 0o600 }); // SQLite would make it readable to others
    store.change("VACUUM INTO ?", beside);
    checkCopy(beside);
    syncPath(beside);
    if (options.replace || !isLinked(beside, path)) renameSync(beside, path);
    syncPath(dirname(path));
  } finally {
    rmSync(beside, { force: true });
  }
}

/** False where this file system has no links, and there is no such file. @throws EEXIST */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (fault) {
    const { code = "" } = fault as NodeJS.ErrnoException;
    if (!["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"].includes(code)) throw fault;
    closeSync(openSync(to, "wx", 0o600)); // from here on the name is ours
    return false;
  }
}

/** @throws store_corrupt */
function checkCopy(path: string): void {
  const database = new Database(path, { readonly: true });
  try {
    const reason = String(database.prepare("PRAGMA quick_check").get()?.["quick_check"]);
    if (reason !== "ok") throw new SortieError("store_corrupt", { path, reason });
  } finally {
    database.close();
  }
}

function syncPath(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
