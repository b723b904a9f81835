import { makePrintable } from "../../base/printable.ts";

/** A diff as it stands below a plan, its lines whole; what could move the cursor is made visible, and tabs stay. */
export function formatDiff(diff: string): string[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  return ["", ...lines.map((line) => `  ${makePrintable(line.replace(/\r$/, ""))}`)];
}
