import { closeSync, fsyncSync, linkSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Database from "libsql";
import { SortieError } from "../base/error.ts";
import { writeNewFile } from "../disk/new-file.ts";
import type { Store } from "./store.ts";

/**
 * Writes all that is in a database now into a file of its own, mode 0600, while others go on writing to the database. It
 * is made beside its place, checked, and put there whole: over the old file with `replace`, else EEXIST. What a copy that was
 * killed left beside it goes.
 */
export function copyStore(store: Store, path: string, options: { readonly replace: boolean }): void {
  const mark = globalThis.crypto.getRandomValues(Buffer.alloc(4)).toString("hex");
  const beside = `${path}.${process.pid}.${mark}.tmp`;
  removeLeft(path);
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

/** What processes left that are no more; another copy that is being made to the same place is not disturbed. */
function removeLeft(path: string): void {
  const start = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    const end = name.startsWith(start) ? name.slice(start.length) : "";
    const pid = /^(\d{1,10})\.[0-9a-f]{8}\.tmp(-journal|-wal|-shm)?$/.exec(end)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(dirname(path), name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === "EPERM";
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
