import { closeSync, openSync, readSync } from "node:fs";
import { makeKeyFinder } from "./send/wandb-key.ts";

const PIECE_BYTES = 1024 * 1024;

/** Whether somebody has written a W&B key into the file. @param bytes how long it is */
export function holdsWandbKey(place: Buffer, bytes: number): boolean {
  const look = makeKeyFinder();
  const piece = Buffer.alloc(Math.min(bytes, PIECE_BYTES));
  try {
    const file = openSync(place, "r");
    try {
      let read = readSync(file, piece);
      while (read > 0 && !look(piece.subarray(0, read))) read = readSync(file, piece);
      return read > 0;
    } finally {
      closeSync(file);
    }
  } catch {
    return false; // unreadable: whoever reads it next says so
  }
}
