/** More lines than any configuration has; with this bound the slowest file takes about two seconds to read. */
export const maxLines = 20_000;
const MAX_INDENT = 40;
const MAX_MARKERS = 12;

/**
 * The text with lines blanked (by spaces, so that every offset stays) that nest quotes or lists deeper than anyone
 * writes: the Markdown parser's time grows with the square of that depth.
 */
export function limitNesting(text: string): string {
  return text.replace(/^.*$/gm, (line) => (isTooDeep(line) ? " ".repeat(line.length) : line));
}

function isTooDeep(line: string): boolean {
  const lead = /^(?:[ \t]|>|[-+*](?=[ \t>]|$)|\d{1,9}[.)](?=[ \t]|$))*/.exec(line)?.[0] ?? "";
  const indent = /^[ \t]*/.exec(line)?.[0].replaceAll("\t", "    ").length ?? 0;
  if (indent > MAX_INDENT) return true;
  return (lead.match(/[>*+-]|\d+/g)?.length ?? 0) > MAX_MARKERS && !/^[\s*-]*$/.test(line);
}
