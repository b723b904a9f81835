import { createHash } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { copyFile, type FileHandle, open, rm, stat, utimes } from "node:fs/promises";
import { describeFault, SortieError } from "../base/error.ts";

export interface VerifiedCopy {
  readonly bytes: number;
  readonly sha256: string;
  /** Every time it was copied, the source changed meanwhile: the copy is what was read, perhaps of two states. */
  readonly changing: boolean;
}

const CHUNK_BYTES = 1024 * 1024;
const ATTEMPTS = 3;

/**
 * Copies a file, reads the copy again, and compares the hashes. A source that changes meanwhile is copied anew, up to
 * three times. null: there is no such file (any more). Writing faults are thrown as they are.
 * @throws results_unreadable
 */
export async function copyVerified(source: Buffer, copy: Buffer): Promise<VerifiedCopy | null> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await readSource(source, () => stat(source, { bigint: true }));
    if (before === null || !before.isFile()) return null;
    await rm(copy, { force: true });
    const sha256 = (await copyByClone(source, copy)) ?? (await copyByReading(source, copy, before));
    if (sha256 === null) return null;
    const written = await hashFile(copy);
    const after = await readSource(source, () => stat(source, { bigint: true }));
    const changing = after === null || !isSame(before, after);
    if (changing ? attempt === ATTEMPTS : written.sha256 === sha256) {
      await utimes(copy, Number(before.atimeNs) / 1e9, Number(before.mtimeNs) / 1e9);
      return { ...written, changing };
    }
    if (attempt === ATTEMPTS) {
      throw new SortieError("results_unwritable", {
        path: copy.toString(),
        reason: "the copy is not what was written",
        left: "",
      });
    }
  }
}

/** Where the file system can share blocks it is done at once. The hash of the source; null: it cannot. */
async function copyByClone(source: Buffer, copy: Buffer): Promise<string | null> {
  try {
    await copyFile(source, copy, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
  } catch {
    await rm(copy, { force: true }); // most file systems cannot: then it is read and written
    return null;
  }
  return (await hashFile(source)).sha256;
}

/** The hash of what was read; null: the source is gone. */
async function copyByReading(source: Buffer, copy: Buffer, stats: BigIntStats): Promise<string | null> {
  const from = await readSource(source, () => open(source, "r"));
  if (from === null) return null;
  try {
    const to = await open(copy, "wx", (Number(stats.mode) & 0o777) | 0o600);
    try {
      const hash = createHash("sha256");
      await readChunks(from, source, async (chunk) => {
        hash.update(chunk);
        await writeAll(to, chunk);
      });
      return hash.digest("hex");
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** What a file of this machine holds. */
export async function hashFile(path: Buffer): Promise<{ bytes: number; sha256: string }> {
  const file = await open(path, "r");
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    await readChunks(file, path, (chunk) => {
      hash.update(chunk);
      bytes += chunk.length;
    });
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    await file.close();
  }
}

async function readChunks(file: FileHandle, path: Buffer, take: (chunk: Buffer) => void | Promise<void>) {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    const read = await readSource(path, () => file.read(buffer, 0, CHUNK_BYTES));
    if (!read?.bytesRead) return;
    await take(buffer.subarray(0, read.bytesRead));
  }
}

async function writeAll(file: FileHandle, chunk: Buffer) {
  for (let written = 0; written < chunk.length; ) {
    written += (await file.write(chunk, written)).bytesWritten;
  }
}

/** null: the source is not there. @throws results_unreadable */
async function readSource<Answer>(path: Buffer, ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask();
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new SortieError(
      "results_unreadable",
      { path: path.toString(), reason: describeFault(fault) },
      fault,
    );
  }
}

function isSame(before: BigIntStats, after: BigIntStats): boolean {
  return (
    before.ino === after.ino &&
    before.size === after.size &&
    before.mtimeNs === after.mtimeNs &&
    before.ctimeNs === after.ctimeNs
  );
}
