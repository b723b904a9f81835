import bootstrap from "../../python/sortie_bootstrap.py";
import faults from "../../python/sortie_faults.py";
import find from "../../python/sortie_find.py";
import frames from "../../python/sortie_frames.py";
import handler from "../../python/sortie_handler.py";
import library from "../../python/sortie_library.py";
import streams from "../../python/sortie_streams.py";
import worker from "../../python/sortie_worker.py";

/** The Python worker without a file: what `python3 -c` runs, and what it then reads from descriptor 3. */
export interface WorkerProgram {
  readonly code: string;
  /** The bootstrap, which comes out of one read, and its modules in the order that it names, each as u32 length and text. */
  readonly texts: readonly Uint8Array[];
}

/** Short code, since the process list shows it. */
export function makeWorkerProgram(): WorkerProgram {
  const first = Buffer.from(bootstrap);
  const modules = [library, frames, faults, streams, find, handler, worker].map((text) => Buffer.from(text));
  return {
    code: `import os; exec(os.read(3, ${first.length}))`,
    texts: [first, Buffer.concat(modules.flatMap((text) => [makeLength(text.length), text]))],
  };
}

function makeLength(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}
