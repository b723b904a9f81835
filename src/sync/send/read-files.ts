import { createHash } from "node:crypto";
import { closeSync, constants, openSync, read, readlinkSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { describeFault, SortieError } from "../../base/error.ts";
import { makePlace } from "../byte-paths.ts";
import type { SendFile } from "./send-list.ts";
import type { FoundFile } from "./sort-files.ts";
import { makeKeyFinder } from "./wandb-key.ts";

const AT_ONCE = 4;
const PIECE_BYTES = 256 * 1024;
/** After so many small files everything else in this process has its turn. */
const SMALL_FILES_IN_A_ROW = 100;

const readLater = promisify(read);

export interface ReadFile {
  readonly file: SendFile;
  readonly holdsKey: boolean;
}

/** Reads every file once, piece by piece, at most four at a time; what has gone meanwhile is dropped. @throws sync_unreadable */
export async function readFiles(
  source: string,
  found: readonly FoundFile[],
  onRead: (found: FoundFile, read: ReadFile) => void,
): Promise<void> {
  const waiting = found.values();
  const work = async () => {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    let count = 0;
    for (const next of waiting) {
      count += 1;
      if (count % SMALL_FILES_IN_A_ROW === 0) await setImmediate();
      const read = await readFound(source, next, buffer);
      if (read !== null) onRead(next, read);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function readFound(source: string, found: FoundFile, buffer: Buffer): Promise<ReadFile | null> {
  const place = makePlace(source, found.path);
  try {
    return found.kind === "link" ? readLink(found, place) : await readPlainFile(found, place, buffer);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new SortieError(
      "sync_unreadable",
      { path: found.path.toString(), reason: describeFault(fault) },
      fault,
    );
  }
}

function readLink({ path }: FoundFile, place: Buffer): ReadFile {
  const link = readlinkSync(place, { encoding: "buffer" });
  const sha256 = createHash("sha256").update(link).digest("hex");
  return { file: { path, bytes: link.length, mode: 0o777, link, sha256 }, holdsKey: false };
}

// A file that became a link or a pipe since it was listed must neither be followed nor waited for.
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A small file is read at once: it takes less time than to have another thread do it. */
async function readPlainFile(found: FoundFile, place: Buffer, buffer: Buffer): Promise<ReadFile> {
  const descriptor = openSync(place, READ_FLAGS);
  try {
    const isSmall = found.bytes < PIECE_BYTES;
    const hash = createHash("sha256");
    const findKey = makeKeyFinder();
    let [bytes, holdsKey, isEnd] = [0, false, false];
    while (!isEnd) {
      const bytesRead = isSmall
        ? readSync(descriptor, buffer)
        : (await readLater(descriptor, buffer, 0, buffer.length, null)).bytesRead;
      const piece = buffer.subarray(0, bytesRead);
      hash.update(piece);
      holdsKey = findKey(piece);
      bytes += bytesRead;
      isEnd = bytesRead < buffer.length;
    }
    const mode = found.executable ? 0o755 : 0o644;
    return { file: { path: found.path, bytes, mode, link: null, sha256: hash.digest("hex") }, holdsKey };
  } finally {
    closeSync(descriptor);
  }
}
