import { wrapText } from "../../base/wrap.ts";

const LEAST_ROOM = 30;

/**
 * Lines `  label  value` whose values begin at column `indent`, as lines no wider than `width` where words allow it. A line
 * that begins otherwise is one of a list, or of a log, and stays as it is.
 */
export function wrapRows(lines: readonly string[], width: number, indent: number): string[] {
  const room = Math.max(width, indent + LEAST_ROOM);
  return lines.flatMap((line) => {
    if (/^\S/.test(line)) return wrapText(line, room);
    if (!/^ {2}\S/.test(line)) return [line];
    return wrapText(line.slice(indent), room, " ".repeat(indent), line.slice(0, indent));
  });
}
