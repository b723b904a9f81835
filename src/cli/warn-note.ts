import { makePrintable } from "../base/printable.ts";
import { wrapText } from "../base/wrap.ts";
import type { Io } from "./io.ts";
import { findTableWidth } from "./views/format-table.ts";

/** What a person should know beside the result; on a terminal no wider than it. */
export function warnNote(io: Io, text: string): void {
  for (const line of wrapText(makePrintable(text), findTableWidth(io), "  ", "note: ")) io.warn(line);
}
