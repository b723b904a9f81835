import { linkSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describeFault, SortieError } from "../base/error.ts";
import { writeNewFile } from "./new-file.ts";

export interface WriteOptions {
  /** Default: 0644. */
  readonly mode?: number;
  /** false: a crash of the machine, not of the process, may leave it empty; a few milliseconds sooner. */
  readonly durable?: boolean;
}

/** A file beside its place that is older than this was left by a process that was killed. */
const STALE_MS = 60_000;

/**
 * Writes a file beside its place and renames it over, so that a reader sees the old or the new content, whole.
 * Missing folders are made; what a killed writer left beside it goes. @throws home_unwritable
 */
export function writeFileAtomic(path: string, data: string | Uint8Array, options: WriteOptions = {}): void {
  writeBeside(path, data, options, (beside) => renameSync(beside, path));
  for (const left of listLeft(path)) {
    const stats = statSync(left, { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > STALE_MS) rmSync(left, { force: true });
  }
}

/**
 * Makes a file that is whole from the first moment on; false where there is one of that name already. Of several
 * that try, one makes it. @throws home_unwritable
 */
export function makeFileOnce(path: string, data: string | Uint8Array, options: WriteOptions = {}): boolean {
  let made = true;
  writeBeside(path, data, options, (beside) => {
    made = isLinked(beside, path) ?? isWritten(path, data, options);
    rmSync(beside, { force: true });
  });
  return made;
}

/** Removes a file, and all that a killed writer left beside it. */
export function removeFile(path: string): void {
  rmSync(path, { force: true });
  for (const left of listLeft(path)) rmSync(left, { force: true });
}

function writeBeside(
  path: string,
  data: string | Uint8Array,
  options: WriteOptions,
  putInPlace: (beside: string) => void,
): void {
  const mark = globalThis.crypto.getRandomValues(Buffer.alloc(4)).toString("hex");
  const beside = `${path}.${mark}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeNewFile(beside, data, options);
    putInPlace(beside);
  } catch (fault) {
    rmSync(beside, { force: true });
    throw new SortieError("home_unwritable", { path, reason: describeFault(fault) }, fault);
  }
}

/** null: this file system has no links. */
function isLinked(from: string, to: string): boolean | null {
  try {
    linkSync(from, to);
    return true;
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code ?? "";
    if (code === "EEXIST") return false;
    if (["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"].includes(code)) return null;
    throw fault;
  }
}

function isWritten(path: string, data: string | Uint8Array, options: WriteOptions): boolean {
  try {
    writeNewFile(path, data, options);
    return true;
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw fault;
  }
}

function listLeft(path: string): string[] {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  return listNames(folder)
    .filter((name) => name.startsWith(start) && /^[0-9a-f]{8}\.tmp$/.test(name.slice(start.length)))
    .map((name) => join(folder, name));
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no such folder: nothing was left in it
  }
}
