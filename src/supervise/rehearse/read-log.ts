import { closeSync, openSync, readSync } from "node:fs";

/** What is looked for in the log of an agent. */
export interface LogReading {
  /** Its last lines, the secret taken out. */
  readonly lines: readonly string[];
  readonly holdsToken: boolean;
}

const CHUNK_BYTES = 1024 * 1024;
const TAIL_BYTES = 16 * 1024;
const LINES = 12;

/** Reads a log of any size piece by piece: a handler may have printed gigabytes. One that cannot be read has no lines. */
export function readLog(path: string, token: string): LogReading {
  try {
    return readPieces(path, token);
  } catch {
    return { lines: [], holdsToken: false }; // the agent was not started, or took its log away
  }
}

function readPieces(path: string, token: string): LogReading {
  const file = openSync(path, "r");
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest = Buffer.alloc(0);
  let holdsToken = false;
  try {
    for (let bytes = readSync(file, chunk); bytes > 0; bytes = readSync(file, chunk)) {
      const text = Buffer.concat([rest, chunk.subarray(0, bytes)]);
      holdsToken ||= text.includes(token);
      rest = Buffer.from(text.subarray(-TAIL_BYTES));
    }
  } finally {
    closeSync(file);
  }
  const lines = rest.toString("utf8").trimEnd().replaceAll(token, "***").split("\n").slice(-LINES);
  return { lines, holdsToken };
}
