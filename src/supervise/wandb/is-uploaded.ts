import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { isObject, parseJson } from "../../base/shape.ts";

/** From the folder of a run of W&B's: what its sender writes of its work, a JSON object a line. */
export const SENDER_LOG = join("logs", "debug-internal.log");
/** Of a sender that has ended only the last lines count. */
const TAIL_BYTES = 256 * 1024;

/**
 * Whether the server has all that an online run logged: it has answered the request that W&B marks as the complete one.
 * One whose sender was cut short has no such answer. Senders that do not write of their requests (before wandb 0.26)
 * are believed.
 */
export function isUploaded(folder: string): boolean {
  const lines = readTail(join(folder, SENDER_LOG)).split("\n");
  const entries = lines.map((line) => parseJson(line, isObject)).filter((entry) => entry !== null);
  const last = entries.findLastIndex(({ msg }) => msg === "filestream: sending request");
  if (last === -1) return true;
  const isAnswered = entries
    .slice(last)
    .some(({ msg, status }) => msg === "filestream: request sent" && String(status).startsWith("2"));
  return entries[last]?.["complete"] === true && isAnswered;
}

function readTail(path: string): string {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return ""; // W&B was told to write none, or it did not come home
  }
  try {
    const from = Math.max(0, fstatSync(file).size - TAIL_BYTES);
    const bytes = Buffer.alloc(TAIL_BYTES);
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, TAIL_BYTES, from));
  } finally {
    closeSync(file);
  }
}
