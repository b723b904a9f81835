import {
  findWorkerFrameType,
  LEAST_WORKER_FRAME_BYTES,
  MAX_WORKER_FRAME_BYTES,
  WORKER_HEADER_BYTES,
  type WorkerFrame,
} from "./worker-frame.ts";

/**
 * - `too_long`: a length beyond the limit. - `too_short`: a length that does not even hold type and session id.
 * - `unknown_type`: a type that is not in the table. Most likely somebody else wrote to the pipe.
 */
export type WorkerFault = "too_long" | "too_short" | "unknown_type";

/**
 * Puts worker frames together out of the chunks of a pipe. A frame that lies in one chunk is a view of it; one that
 * comes in many is copied once, when it is whole. Memory grows with what has arrived, never with what a length claims.
 */
export class FrameReader {
  #fault: WorkerFault | undefined;
  #chunks: Uint8Array[] = [];
  #held = 0;
  /** How many bytes the frame has that is being put together; until its header is there, those of the header. */
  #wanted = WORKER_HEADER_BYTES;
  readonly #maxBytes: number;

  constructor(maxBytes = MAX_WORKER_FRAME_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Set by the first frame that cannot be; nothing that follows it can be told apart, so nothing more is read. */
  get fault(): WorkerFault | undefined {
    return this.#fault;
  }

  /** Bytes that have come of a frame whose rest has not: more than 0 at the end of the stream is a frame cut off. */
  get pendingBytes(): number {
    return this.#held;
  }

  /** The frames that this chunk completes, in order. Never throws: see `fault`. The chunk must not change afterwards. */
  push(chunk: Uint8Array): WorkerFrame[] {
    if (this.#fault !== undefined || chunk.length === 0) return [];
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    const frames: WorkerFrame[] = [];
    while (this.#held >= this.#wanted) {
      const bytes = this.#joinChunks();
      const end = this.#readEnd(bytes);
      if (end === undefined) return this.#giveUp(frames);
      if (this.#held < end) {
        this.#wanted = end;
        break;
      }
      const frame = this.#readFrame(bytes.subarray(0, end));
      if (frame === undefined) return this.#giveUp(frames);
      frames.push(frame);
      this.#keepRest(bytes.subarray(end));
    }
    return frames;
  }

  #joinChunks(): Uint8Array {
    const [first] = this.#chunks;
    if (this.#chunks.length === 1 && first !== undefined) return first;
    const bytes = new Uint8Array(this.#held);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = [bytes];
    return bytes;
  }

  /** Where the frame at the start ends; undefined when its length cannot be. */
  #readEnd(bytes: Uint8Array): number | undefined {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    if (length < LEAST_WORKER_FRAME_BYTES) this.#fault = "too_short";
    if (length > this.#maxBytes) this.#fault = "too_long";
    return this.#fault === undefined ? 4 + length : undefined;
  }

  #readFrame(bytes: Uint8Array): WorkerFrame | undefined {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const type = findWorkerFrameType(view.getUint8(4));
    const payloadAt = WORKER_HEADER_BYTES + view.getUint16(5);
    if (type === undefined) this.#fault = "unknown_type";
    else if (payloadAt > bytes.length) this.#fault = "too_short";
    if (type === undefined || this.#fault !== undefined) return undefined;
    return { type, sid: bytes.subarray(WORKER_HEADER_BYTES, payloadAt), payload: bytes.subarray(payloadAt) };
  }

  #keepRest(rest: Uint8Array) {
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#held = rest.length;
    this.#wanted = WORKER_HEADER_BYTES;
  }

  #giveUp(frames: WorkerFrame[]): WorkerFrame[] {
    this.#chunks = [];
    this.#held = 0;
    return frames;
  }
}
