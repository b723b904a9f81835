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
export type WorkerFrameFault = "too_long" | "too_short" | "unknown_type";

/** Small frames, and the beginning of every other, are collected here. */
const BASIN_BYTES = 64 * 1024;

/**
 * Puts worker frames together out of what a pipe gives. The pipe reads straight into `target`, and `take` is told how
 * much: all but the beginning of a large frame lands where it stays. Memory for a length is taken when the basin is full
 * of its frame, never for what a length claims alone.
 */
export class FrameReader {
  #fault: WorkerFrameFault | undefined;
  readonly #basin = new Uint8Array(BASIN_BYTES);
  /** The large frame that is being filled; while there is one, the basin is empty. */
  #large: Uint8Array | undefined;
  #filled = 0;
  readonly #allocate: (bytes: number) => Uint8Array;

  /** `allocate`: gives memory for a large frame; what is in it does not matter. */
  constructor(allocate: (bytes: number) => Uint8Array) {
    this.#allocate = allocate;
  }

  /** Set by the first frame that cannot be; nothing that follows it can be told apart, so nothing more is read. */
  get fault(): WorkerFrameFault | undefined {
    return this.#fault;
  }

  /** Where the next bytes belong; never empty. Another place after each `take`. */
  get target(): Uint8Array {
    return (this.#large ?? this.#basin).subarray(this.#filled);
  }

  /** The frames that are complete now that so many bytes lie at the start of `target`. Never throws: see `fault`. */
  take(bytes: number): WorkerFrame[] {
    if (this.#fault !== undefined) return [];
    this.#filled += bytes;
    if (this.#large === undefined) return this.#emptyBasin();
    if (this.#filled < this.#large.length) return [];
    const frame = this.#readFrame(this.#large);
    this.#large = undefined;
    this.#filled = 0;
    return frame === undefined ? [] : [frame];
  }

  #emptyBasin(): WorkerFrame[] {
    const frames: WorkerFrame[] = [];
    let rest = this.#basin.subarray(0, this.#filled);
    while (rest.length >= WORKER_HEADER_BYTES) {
      const end = this.#readEnd(rest);
      if (end === undefined) break;
      if (end > rest.length) {
        if (rest.length === BASIN_BYTES) this.#large = this.#allocate(end);
        break;
      }
      const frame = this.#readFrame(rest.slice(0, end));
      if (frame === undefined) break;
      frames.push(frame);
      rest = rest.subarray(end);
    }
    this.#filled = this.#fault === undefined ? rest.length : 0;
    (this.#large ?? this.#basin).set(rest);
    return frames;
  }

  /** Where the frame at the start ends; undefined when its length cannot be. */
  #readEnd(bytes: Uint8Array): number | undefined {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    if (length < LEAST_WORKER_FRAME_BYTES) this.#fault = "too_short";
    if (length > MAX_WORKER_FRAME_BYTES) this.#fault = "too_long";
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
}
