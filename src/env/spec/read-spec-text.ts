import { readFileSync, statSync } from "node:fs";
import { describeFault, SortieError } from "../../base/error.ts";

/** A specification that people write is a few thousand characters long. */
const MAX_BYTES = 1024 * 1024;

/** The text of a specification's file. @throws spec_missing, spec_unreadable */
export function readSpecText(file: string): string {
  let bytes: Buffer;
  try {
    const { size } = statSync(file);
    if (size > MAX_BYTES) throw refuse(file, `it has ${size} bytes, more than ${MAX_BYTES}`);
    bytes = readFileSync(file);
  } catch (fault) {
    if (fault instanceof SortieError) throw fault;
    if ((fault as NodeJS.ErrnoException).code === "ENOENT")
      throw new SortieError("spec_missing", { wanted: file, known: "" }, fault);
    throw refuse(file, describeFault(fault), fault);
  }
  return decodeYaml(bytes, file);
}

/** As PyYAML decodes bytes: UTF-16 where its mark stands in front, else UTF-8; the mark stays in the text. */
export function decodeYaml(bytes: Uint8Array, file: string): string {
  const mark = bytes.subarray(0, 2).join(" ");
  const encoding = mark === "255 254" ? "utf-16le" : mark === "254 255" ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (fault) {
    throw refuse(file, `it is no text in ${encoding.toUpperCase()}`, fault);
  }
}

function refuse(file: string, reason: string, cause?: unknown): SortieError {
  return new SortieError("spec_unreadable", { file, reason }, cause);
}
