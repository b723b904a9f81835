import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** A log that can be asked for its size and for a range of its bytes; a missing one has size 0. */
export interface LogSource {
  size(): Promise<number>;
  /** At most `length` bytes from `offset`; fewer at the end. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** The last bytes of a log as text, at most so many. */
export async function readLogEnd(log: LogSource, mostBytes: number): Promise<string> {
  const offset = Math.max(0, (await log.size()) - mostBytes);
  return Buffer.from(await log.read(offset, mostBytes)).toString("utf8");
}

/** A log on this machine. It is opened for each question, so that it may be rotated or made later. */
export function makeFileLog(path: string): LogSource {
  return {
    async size() {
      return withFile(path, (file) => fstatSync(file).size) ?? 0;
    },
    async read(offset, length) {
      return (
        withFile(path, (file) => {
          const buffer = Buffer.allocUnsafe(length);
          return buffer.subarray(0, readSync(file, buffer, 0, length, offset));
        }) ?? new Uint8Array()
      );
    },
  };
}

function withFile<Result>(path: string, work: (file: number) => Result): Result | null {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw fault;
  }
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}
