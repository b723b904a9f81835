import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";

/** Writes a file that must not be there yet (else EEXIST), and unless told otherwise waits until it is on disk. */
export function writeNewFile(
  path: string,
  data: string | Uint8Array,
  options: { readonly mode?: number; readonly durable?: boolean } = {},
): void {
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  const file = openSync(path, "wx", options.mode ?? 0o644);
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    if (options.durable ?? true) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
