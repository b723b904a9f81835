import { formatBytes } from "../base/bytes.ts";
import { SortieError } from "../base/error.ts";

/**
 * What the frames between the agent and its handler mean. They go over two pipes, one a direction, in order; each call
 * is answered by exactly one frame before the next call is made. The numbers are fixed: `python/` knows them too.
 */
export const workerFrameTypes = {
  /** To the handler: load the weights. Answered by `loaded` or `fault`. */
  load: 1,
  /** To the handler: a session begins. Answered by `done` or `fault`. */
  open: 2,
  /** To the handler: a session ends. Answered by `done` or `fault`. */
  close: 3,
  /** To the handler: an observation. Answered by `reply` or `fault`. */
  handle: 4,
  /** To the handler: end. Answered by the end of the process. */
  stop: 5,
  /** From the handler, once and unasked: its module is imported. The payload is JSON: what the module offers. */
  imported: 16,
  loaded: 17,
  done: 18,
  /** From the handler: the action. */
  reply: 19,
  /** From the handler: the call failed. The payload is JSON: `{"kind", "message", "trace"}`. */
  fault: 20,
  /** From the handler, at any time: a line of UTF-8 for the log. Not an answer. */
  log: 21,
} as const;

export type WorkerFrameType = keyof typeof workerFrameTypes;

export interface WorkerFrame {
  readonly type: WorkerFrameType;
  readonly sid: Uint8Array;
  readonly payload: Uint8Array;
}

/** What may follow the length field: type, length of the session id, session id and payload. */
export const MAX_WORKER_FRAME_BYTES = 65 * 1024 * 1024;

/** u32 length of all that follows it, u8 type, u16 length of the session id; big-endian. */
export const WORKER_HEADER_BYTES = 7;

/** What the length field counts even where session id and payload are empty. */
export const LEAST_WORKER_FRAME_BYTES = 3;

const MAX_SID_BYTES = 0xffff;

const typesByNumber: ReadonlyMap<number, WorkerFrameType> = new Map(
  (Object.entries(workerFrameTypes) as [WorkerFrameType, number][]).map(([type, number]) => [number, type]),
);

/** The type of this number; undefined when there is none. */
export function findWorkerFrameType(number: number): WorkerFrameType | undefined {
  return typesByNumber.get(number);
}

/**
 * All of a worker frame before its payload, to be written first: a payload of megabytes is then not copied. SortieError
 * `worker_frame_too_long` beyond 65 MiB.
 */
export function makeWorkerHeader(type: WorkerFrameType, sid: Uint8Array, payloadBytes: number): Uint8Array {
  const length = LEAST_WORKER_FRAME_BYTES + sid.length + payloadBytes;
  if (length > MAX_WORKER_FRAME_BYTES || sid.length > MAX_SID_BYTES) {
    throw new SortieError("worker_frame_too_long", {
      bytes: formatBytes(length),
      most: formatBytes(MAX_WORKER_FRAME_BYTES),
    });
  }
  const bytes = new Uint8Array(WORKER_HEADER_BYTES + sid.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, length);
  view.setUint8(4, workerFrameTypes[type]);
  view.setUint16(5, sid.length);
  bytes.set(sid, WORKER_HEADER_BYTES);
  return bytes;
}
