import { FrameReader } from "../../src/wire/frame-reader.ts";
import { makeWorkerHeader, type WorkerFrame } from "../../src/wire/worker-frame.ts";

/** A reader whose large frames lie in common memory. */
export function makeFrameReader(allocate = (bytes: number) => new Uint8Array(bytes)): FrameReader {
  return new FrameReader(allocate);
}

/** A worker frame in one piece. */
export function encodeWorkerFrame({ type, sid, payload }: WorkerFrame): Uint8Array {
  return new Uint8Array(Buffer.concat([makeWorkerHeader(type, sid, payload.length), payload]));
}

/** Gives bytes to the reader as a pipe would that has just these, and returns the frames that they completed. */
export function pushBytes(reader: FrameReader, bytes: Uint8Array): WorkerFrame[] {
  const frames: WorkerFrame[] = [];
  for (let at = 0; at < bytes.length && reader.fault === undefined; ) {
    const piece = bytes.subarray(at, at + reader.target.length);
    reader.target.set(piece);
    at += piece.length;
    frames.push(...reader.take(piece.length));
  }
  return frames;
}

/** Whether nothing has come of a frame whose rest has not: there is as much room as at first. */
export function isBetweenFrames(reader: FrameReader): boolean {
  return reader.target.length === makeFrameReader().target.length;
}
