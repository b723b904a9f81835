import type { LogSource } from "./log-source.ts";

const BLOCK = 256 * 1024;
/** So much of a log's end is looked at, at most: a tail costs the same whatever the log's size. */
const MAX_BYTES = 8 * 1024 * 1024;

export interface Tail {
  /** Where the text starts in the log; it is the start of a line unless `cut`. */
  readonly offset: number;
  readonly bytes: Buffer;
  /** The first line is longer than what was looked at: its beginning is missing. */
  readonly cut: boolean;
}

/** The last `lines` lines between `from` and `end` (default: all of the log), as raw bytes, read backwards. */
export async function readTail(
  log: LogSource,
  lines: number,
  { from = 0, end }: { from?: number; end?: number } = {},
): Promise<Tail> {
  let start = end ?? (await log.size());
  const blocks: Buffer[] = [];
  let size = 0;
  let newlines = 0;
  while (start > from && size < MAX_BYTES) {
    const length = Math.min(BLOCK, start - from);
    const block = Buffer.from(await log.read(start - length, length));
    start -= length;
    size += block.length;
    blocks.unshift(block);
    // The newline at the very end closes the last line; it does not begin another.
    const last = blocks.length === 1 ? block.length - 1 : block.length;
    for (let at = block.lastIndexOf(10, last - 1); at !== -1; at = block.lastIndexOf(10, at - 1)) {
      newlines += 1;
      if (newlines === lines) {
        const bytes = Buffer.concat(blocks).subarray(at + 1);
        return { offset: start + at + 1, bytes, cut: false };
      }
      if (at === 0) break;
    }
  }
  return { offset: start, bytes: lines > 0 ? Buffer.concat(blocks) : Buffer.alloc(0), cut: start > from };
}
