import { constants, fstatSync, openSync, writeSync } from "node:fs";

/** Writes text to a descriptor of this process and never waits for whoever reads it. */
export interface QuietWriter {
  write(text: string): void;
  /** Writes what must not be left out, however much waits. */
  writeLast(text: string): void;
  /** Waits so long, at most, until all is written. */
  flush(timeoutMs: number): Promise<void>;
}

/** What may wait for a reader; a log is not worth more memory. */
const MOST_WAITING = 1024 * 1024;
const RETRY_MS = 20;

/**
 * A terminal that is stopped (Ctrl-S, a copy mode) or a pipe that nobody reads holds up the process that writes to it, and an
 * agent that is held up answers no ping. Text that finds no room is dropped then, and so is what a full disk does not take.
 * `formatGap` makes the line that stands in place of so many which were left out.
 */
export function makeQuietWriter(descriptor: number, formatGap = formatGapForPeople): QuietWriter {
  const sink = openWithoutWaiting(descriptor);
  let waiting: Buffer = Buffer.alloc(0);
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;

  const writeOut = () => {
    timer = undefined;
    try {
      while (waiting.length > 0) waiting = waiting.subarray(writeSync(sink, waiting));
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== "EAGAIN")
        waiting = Buffer.alloc(0); // there is nobody, or no room
      else timer = setTimeout(writeOut, RETRY_MS).unref();
    }
  };
  const take = (text: string) => {
    const gap = dropped === 0 ? "" : formatGap(dropped);
    dropped = 0;
    waiting = Buffer.concat([waiting, Buffer.from(gap + text)]);
    if (timer === undefined) writeOut();
  };
  return {
    write(text) {
      if (waiting.length > MOST_WAITING) dropped += 1;
      else take(text);
    },
    writeLast: take,
    async flush(timeoutMs) {
      const deadline = performance.now() + timeoutMs;
      while (waiting.length > 0 && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    },
  };
}

function formatGapForPeople(lines: number): string {
  return `[… ${lines === 1 ? "1 line" : `${lines} lines`} left out: nobody read them …]\n`;
}

/**
 * The terminal or pipe opened once more: not to wait is a property of the opened file, which is shared with the shell and
 * with the handler, whose own output may wait. A file is written where the others write, and needs no such care.
 */
function openWithoutWaiting(descriptor: number): number {
  try {
    if (fstatSync(descriptor).isFile()) return descriptor;
    const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
    return openSync(`/proc/self/fd/${descriptor}`, flags);
  } catch {
    return descriptor; // a socket, another user's terminal, or a system without /proc
  }
}
