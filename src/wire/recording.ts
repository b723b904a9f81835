import { MAX_SESSION_ID_BYTES } from "./frame.ts";
import { MAX_MESSAGE_BYTES } from "./message.ts";

/**
 * A recording is a file of one session: what the simulator showed and what the agent answered, byte for byte. It is only
 * ever appended to, so that it can be read up to its last whole entry whenever the writer was killed. Big-endian, in order:
 *
 *     start   8 bytes of magic, u16 version, u32 length of what follows, then a `RecordingInfo` as JSON
 *     entry   u32 length of all that follows, u8 type, u64 time, u16 length of the session id, session id, payload
 *
 * The time counts microseconds from the start of the session. The payload of an observation (type 1) or an action (2) is
 * that of its frame. The last entry, where the case came to an end, is an end (3): a `RecordingResult` as JSON. The entry of
 * an action follows that of its observation; an observation without one was never answered.
 *
 * A file that does not end with an end is cut off, and good for what it holds. Zeros in the place of an entry's length are
 * what some file systems leave after a power failure: they count as cut off too, where nothing but zeros follows.
 */
export const RECORDING_VERSION = 1;

/** The end of a recording's file name. */
export const RECORDING_SUFFIX = ".sortie-recording";

/** No text begins with the first byte, and a transfer as text breaks the last two. */
export const RECORDING_MAGIC: readonly number[] = [0x89, 0x53, 0x52, 0x45, 0x43, 0x0d, 0x0a, 0x1a];

/** Magic, version, length of the JSON. */
export const START_BYTES = 14;

/** Type, time and length of the session id: what every entry has behind its length. */
export const ENTRY_HEAD_BYTES = 11;

export const MAX_INFO_BYTES = 64 * 1024;
export const MAX_ENTRY_BYTES = ENTRY_HEAD_BYTES + MAX_SESSION_ID_BYTES + MAX_MESSAGE_BYTES;

/** The numbers of the types in the file. */
export const entryTypes = { observation: 1, action: 2, end: 3 } as const;

export type EntryType = keyof typeof entryTypes;

/** What was played, by whom. In the file, more keys than these may follow. */
export interface RecordingInfo {
  /** The number of the case on record, where it is on record. */
  readonly caseId: number | null;
  readonly jobUuid: string | null;
  readonly board: string | null;
  readonly task: string;
  /** Of the case in its task. */
  readonly index: number;
  readonly seed: number;
  readonly sessionId: string;
  readonly agentId: string | null;
  /** ISO 8601 in UTC, to the millisecond. */
  readonly startedAt: string;
}

/** How it ended. */
export interface RecordingResult {
  /** From 0 to 1; null: nobody told it. */
  readonly score: number | null;
  readonly steps: number;
  readonly detail: string | null;
}

export interface RecordingFrame {
  readonly type: "observation" | "action";
  /** Microseconds since the start. */
  readonly timeUs: number;
  readonly sid: Uint8Array;
  readonly payload: Uint8Array;
}

export interface RecordingEnd {
  readonly type: "end";
  readonly timeUs: number;
  readonly result: RecordingResult;
}

export type RecordingEntry = RecordingFrame | RecordingEnd;

/** All of a recording before its first entry. A text in it that is longer than any real one is cut. */
export function makeRecordingStart(info: RecordingInfo): Uint8Array {
  const json = encodeJson(info);
  const bytes = new Uint8Array(START_BYTES + json.length);
  const view = new DataView(bytes.buffer);
  bytes.set(RECORDING_MAGIC);
  view.setUint16(8, RECORDING_VERSION);
  view.setUint32(10, json.length);
  bytes.set(json, START_BYTES);
  return bytes;
}

/** An entry with a copy of its payload. */
export function makeRecordingFrame({ type, timeUs, sid, payload }: RecordingFrame): Uint8Array {
  return makeEntry(entryTypes[type], timeUs, sid, payload);
}

/** The last entry. */
export function makeRecordingEnd(timeUs: number, sid: Uint8Array, result: RecordingResult): Uint8Array {
  return makeEntry(entryTypes.end, timeUs, sid, encodeJson(result));
}

/** Moves the time of an entry on, in its own bytes. */
export function delayRecordingEntry(entry: Uint8Array, byUs: number): void {
  const view = new DataView(entry.buffer, entry.byteOffset, entry.length);
  view.setBigUint64(5, view.getBigUint64(5) + BigInt(Math.round(byUs)));
}

function makeEntry(type: number, timeUs: number, sid: Uint8Array, payload: Uint8Array): Uint8Array {
  const length = ENTRY_HEAD_BYTES + sid.length + payload.length;
  const bytes = new Uint8Array(4 + length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, length);
  view.setUint8(4, type);
  view.setBigUint64(5, BigInt(Math.max(0, Math.round(timeUs))));
  view.setUint16(13, sid.length);
  bytes.set(sid, 15);
  bytes.set(payload, 15 + sid.length);
  return bytes;
}

const MOST_CHARACTERS = 1000;

function encodeJson(value: object): Uint8Array {
  const shorten = (_: string, item: unknown) =>
    typeof item === "string" ? item.slice(0, MOST_CHARACTERS) : item;
  return new TextEncoder().encode(JSON.stringify(value, shorten));
}
