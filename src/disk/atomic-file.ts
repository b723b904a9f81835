import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { describeFault, SortieError } from "../base/error.ts";

/**
 * Writes a file beside its place and renames it over, so that a reader sees the old or the new content, whole.
 * Missing folders are made. @throws home_unwritable
 */
export function writeFileAtomic(path: string, data: string | Uint8Array, options: { mode?: number } = {}): void {
  const beside = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeAndSync(beside, typeof data === "string" ? Buffer.from(data) : data, options.mode ?? 0o644);
    renameSync(beside, path);
  } catch (fault) {
    rmSync(beside, { force: true });
    throw new SortieError("home_unwritable", { path, reason: describeFault(fault) }, fault);
  }
}

function writeAndSync(path: string, data: Uint8Array, mode: number): void {
  const file = openSync(path, "wx", mode);
  try {
    for (let written = 0; written < data.length; ) written += writeSync(file, data, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
