import type { FileHandle } from "node:fs/promises";
import {
  ENTRY_HEAD_BYTES,
  entryTypes,
  MAX_ENTRY_BYTES,
  MAX_INFO_BYTES,
  START_BYTES,
} from "../../wire/recording.ts";
import { RecordingReader } from "../../wire/recording-reader.ts";

/** Where a recording can be gone on with. */
export interface Tail {
  /** Behind its last whole entry that is no end. */
  readonly wholeBytes: number;
  /** Of the start, before the first entry. */
  readonly startBytes: number;
  /** When the session began, in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** The time of that entry, from the start of the session; 0: there is none. */
  readonly timeUs: number;
}

const LENGTH_BYTES = 4;

/** Looks at the heads of the entries alone, since a recording may be large. undefined: it has no whole start. */
export async function findTail(handle: FileHandle): Promise<Tail | undefined> {
  const { size } = await handle.stat();
  const start = await readBytes(handle, 0, START_BYTES + MAX_INFO_BYTES);
  const reader = new RecordingReader();
  const infoBytes = start.length < START_BYTES ? 0 : start.readUInt32BE(START_BYTES - LENGTH_BYTES);
  const startBytes = START_BYTES + infoBytes;
  const [part] = reader.take(start.subarray(0, startBytes));
  if (part?.type !== "info") return undefined;
  const same = { startBytes, startedAtMs: Date.parse(part.info.startedAt) };
  let tail: Tail = { ...same, wholeBytes: startBytes, timeUs: 0 };
  for (;;) {
    const head = await readBytes(handle, tail.wholeBytes, LENGTH_BYTES + ENTRY_HEAD_BYTES);
    if (head.length < LENGTH_BYTES + ENTRY_HEAD_BYTES) return tail;
    const length = head.readUInt32BE(0);
    const wholeBytes = tail.wholeBytes + LENGTH_BYTES + length;
    const isWhole = length >= ENTRY_HEAD_BYTES && length <= MAX_ENTRY_BYTES && wholeBytes <= size;
    if (!isWhole || !isFrame(head.readUInt8(4))) return tail;
    tail = { ...same, wholeBytes, timeUs: Number(head.readBigUInt64BE(5)) };
  }
}

function isFrame(type: number): boolean {
  return type === entryTypes.observation || type === entryTypes.action;
}

async function readBytes(handle: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, at);
  return buffer.subarray(0, bytesRead);
}
