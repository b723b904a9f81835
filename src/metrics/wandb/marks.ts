/** Ends each line that Sortie writes into a script, and no other line. */
export const MARK = "# sortie-wandb";

/** Stays first in the file, whatever is written into it. */
export const BYTE_ORDER_MARK = "\uFEFF";

const MARKED = /(?:^|\s)# sortie-wandb\r?$/;

export function isMarked(line: string): boolean {
  return MARKED.test(line);
}

/**
 * The script without Sortie's lines, byte for byte as it was. A script that ended without a line end does so again: the
 * last of our lines has none then.
 */
export function removeInstrumentation(text: string): string {
  const start = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const lines = text.slice(start.length).split("\n");
  if (!lines.some(isMarked)) return text;
  const kept = lines.filter((line) => !isMarked(line));
  const endedOpen = isMarked(lines.at(-1) ?? "");
  const joined = kept.join("\n");
  return start + (endedOpen ? joined.replace(/\r$/, "") : joined);
}
