import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { describeFault } from "../base/error.ts";
import { maxLines } from "./bounded-text.ts";

/** What a file of the configuration holds, or why it cannot be used. */
export type FileReading =
  | { readonly state: "absent" }
  /** A folder, pipe or device of that name. */
  | { readonly state: "not_a_file"; readonly reason: string }
  | { readonly state: "unreadable"; readonly reason: string }
  | { readonly state: "text"; readonly text: string; readonly sha256: string };

const MAX_BYTES = 1024 * 1024;

/** Reads a text of at most 1 MiB and 20,000 lines; never waits for a pipe, never throws. */
export function readConfigFile(path: string): FileReading {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return { state: "absent" };
    return { state: "unreadable", reason: describeCode(code, fault) };
  }
  try {
    if (!fstatSync(file).isFile()) return { state: "not_a_file", reason: "it is not a regular file" };
    return decode(readBytes(file));
  } catch (fault) {
    return { state: "unreadable", reason: describeCode((fault as NodeJS.ErrnoException).code, fault) };
  } finally {
    closeSync(file);
  }
}

function readBytes(file: number): Buffer {
  const buffer = Buffer.alloc(Math.min(fstatSync(file).size, MAX_BYTES) + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(file, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}

function decode(bytes: Buffer): FileReading {
  if (bytes.length > MAX_BYTES) return { state: "unreadable", reason: "it is larger than 1 MiB" };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // The decoder tells no more than that the bytes are not UTF-8.
    return { state: "unreadable", reason: "it is not UTF-8 text" };
  }
  if (text.includes("\u0000"))
    return { state: "unreadable", reason: "it is not UTF-8 text (it holds NUL bytes)" };
  const lines = text.match(/\r\n|\r|\n/g)?.length ?? 0;
  if (lines > maxLines)
    return { state: "unreadable", reason: `it has ${lines} lines, more than ${maxLines}` };
  return { state: "text", text, sha256: createHash("sha256").update(bytes).digest("hex") };
}

function describeCode(code: string | undefined, fault: unknown): string {
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  if (code === "ELOOP") return "its symbolic links go in a circle";
  return describeFault(fault);
}
