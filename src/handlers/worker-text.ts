import faults from "../../python/sortie_faults.py";
import find from "../../python/sortie_find.py";
import frames from "../../python/sortie_frames.py";
import handler from "../../python/sortie_handler.py";
import library from "../../python/sortie_library.py";
import worker from "../../python/sortie_worker.py";

/** The modules of the Python worker as its bootstrap takes them: each as u32 length and text, in the bootstrap's order. */
export function makeWorkerText(): Uint8Array {
  const texts = [library, frames, faults, find, handler, worker].map((text) => Buffer.from(text));
  return Buffer.concat(texts.flatMap((text) => [makeLength(text.length), text]));
}

function makeLength(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}
