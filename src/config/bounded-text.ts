/** More lines than any file of instructions has. */
export const maxLines = 20_000;

/** List items and quotes that are read under one heading, and how deep they may be nested. */
const MAX_MARKERS = 1000;
const MAX_DEPTH = 4;
const MAX_INDENT = 16;

export interface BoundedText {
  readonly text: string;
  /** Numbers of the lines, from 1, that were blanked. */
  readonly blanked: readonly number[];
}

/**
 * The text with list items and quotes blanked (by spaces, so that every offset stays) that are nested deeper, or are
 * more under one heading, than settings ever are: the Markdown parser's time grows with the square of both.
 */
export function limitMarkers(text: string): BoundedText {
  const blanked: number[] = [];
  let count = 0;
  let line = 1;
  const bounded = text.replace(/\r\n|\r|\n|[^\r\n]+/g, (part) => {
    if (/[\r\n]/.test(part)) {
      line += 1;
      return part;
    }
    if (/^#{1,6}(?:[ \t]|$)/.test(part)) count = 0;
    const { markers, indent } = readLead(part);
    count += markers;
    if (markers === 0 || (count <= MAX_MARKERS && markers <= MAX_DEPTH && indent <= MAX_INDENT)) return part;
    // `- - - - -` is a line across the page, however long.
    if (/^ {0,3}(?:[-*][ \t]*)+$/.test(part)) return part;
    blanked.push(line);
    return " ".repeat(part.length);
  });
  return { text: bounded, blanked };
}

function readLead(line: string): { markers: number; indent: number } {
  const lead = /^(?:[ \t]|>|[-+*](?=[ \t>]|$)|\d{1,9}[.)](?=[ \t]|$))*/.exec(line)?.[0] ?? "";
  const markers = lead.match(/[>*+-]|\d+/g)?.length ?? 0;
  const indent = /^[ \t]*/.exec(lead)?.[0].replaceAll("\t", "    ").length ?? 0;
  return { markers, indent };
}
