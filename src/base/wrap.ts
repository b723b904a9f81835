import { measureWidth } from "./text-width.ts";

/**
 * Text as lines of at most `width` columns, their `indent` included; a longer word stays whole. The first line begins
 * with `first` instead, where a label stands.
 */
export function wrapText(text: string, width: number, indent = "", first = indent): string[] {
  const lines: string[] = [];
  let line: string | null = null;
  for (const word of text.split(" ")) {
    if (line === null) line = first + word;
    else if (measureWidth(line) + 1 + measureWidth(word) <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = indent + word;
    }
  }
  return [...lines, line ?? first];
}
