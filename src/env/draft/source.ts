import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SortieError } from "../../base/error.ts";

/** Words of a file, and where they stand: `requirements.txt:3`. */
export interface Taken {
  readonly text: string;
  readonly from: string;
}

/** What one file of a project says about its environment. */
export interface Source {
  /** As `base` of a spec; null: it says nothing of a Python. */
  readonly base: Taken | null;
  /** Options of every install call. */
  readonly options: readonly Taken[];
  readonly requirements: readonly Taken[];
  /** What is installed from the project's own folder, or to be edited; comes last. */
  readonly editables: readonly Taken[];
  /** For the reader of the draft: what has no place in a spec. */
  readonly notes: readonly Taken[];
  readonly warnings: readonly string[];
}

export const EMPTY_SOURCE: Source = {
  base: null,
  options: [],
  requirements: [],
  editables: [],
  notes: [],
  warnings: [],
};

/** The text of a file, null if there is none; as pip reads it, by its byte order mark, else as UTF-8. @throws draft_unreadable */
export function loadText(folder: string, file: string): string | null {
  try {
    const bytes = readFileSync(join(folder, file));
    const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
    return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8", { fatal: true }).decode(bytes);
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw refuseSource(
      file,
      code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not text in UTF-8" : fault,
    );
  }
}

export function refuseSource(file: string, fault: unknown): SortieError {
  const reason = fault instanceof Error ? (fault.message.split("\n")[0] as string) : String(fault);
  return new SortieError("draft_unreadable", { file, reason }, fault);
}

/** Where a text first stands in a file. */
export function findPlace(file: string, text: string, wanted: string): string {
  const start = text.indexOf(wanted);
  return start === -1 ? file : `${file}:${text.slice(0, start).split("\n").length}`;
}
