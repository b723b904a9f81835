import type { Code, Html, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";

/** A piece of a text that was parsed by itself; `line` and `offset` are where it begins in the whole. */
export interface MarkdownChunk {
  readonly root: Root;
  readonly line: number;
  readonly offset: number;
}

/**
 * Parses a text heading by heading, since the parser's time grows with the square of a text's list items. A heading
 * at the left margin ends every block before it but a code fence or an HTML block that is still open: there the piece
 * is made longer until nothing is open.
 */
export function parseChunks(source: string): MarkdownChunk[] {
  const starts = [...source.matchAll(/(?<=^|[\r\n])#{1,6}(?=[ \t\r\n]|$)/g)].map((match) => match.index);
  const chunks: MarkdownChunk[] = [];
  let line = 1;
  for (let offset = 0; offset < source.length; ) {
    const { root, end } = parsePiece(source, offset, starts);
    chunks.push({ root, line, offset });
    line += countLines(source.slice(offset, end));
    offset = end;
  }
  return chunks;
}

// Only blocks are wanted: without these the parser is several times faster and cannot be slowed down by `[[[[`.
const INLINE_CONSTRUCTS = [
  "attention",
  "autolink",
  "characterEscape",
  "characterReference",
  "codeText",
  "definition",
  "hardBreakEscape",
  "htmlText",
  "labelEnd",
  "labelStartImage",
  "labelStartLink",
];

function parsePiece(source: string, offset: number, starts: readonly number[]): { root: Root; end: number } {
  let end = findStart(starts, offset + 1) ?? source.length;
  for (;;) {
    const text = source.slice(offset, end);
    const root = fromMarkdown(text, { extensions: [{ disable: { null: INLINE_CONSTRUCTS } }] });
    const closer = end < source.length ? findOpenEnd(root, text) : undefined;
    if (closer === undefined) return { root, end };
    const closed = source.slice(end).search(closer);
    // At least twice as long, so that many fences are not parsed over and over.
    const from = closed === -1 ? source.length : Math.max(end + closed + 1, offset + 2 * text.length);
    end = findStart(starts, from) ?? source.length;
  }
}

/** The first heading at or behind a place; starts are in order. */
function findStart(starts: readonly number[], from: number): number | undefined {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return starts[low];
}

/** What would close the block that is still open at the end of a piece; undefined if none is. */
function findOpenEnd(root: Root, text: string): RegExp | undefined {
  const last = root.children.at(-1);
  if (last?.type === "code") return findOpenFence(last, text);
  return last?.type === "html" ? findOpenHtml(last, text) : undefined;
}

function findOpenFence(code: Code, text: string): RegExp | undefined {
  const slice = text.slice(code.position?.start.offset, code.position?.end.offset);
  const fence = /^(?:`{3,}|~{3,})/.exec(slice)?.[0];
  if (fence === undefined) return undefined;
  const closer = new RegExp(`(?<=^|[\\r\\n]) {0,3}${fence[0]}{${fence.length},}[ \\t]*(?=[\\r\\n]|$)`);
  return closer.test(slice.slice(fence.length)) ? undefined : closer;
}

/** Markdown's kinds of HTML block that run to a text of their own; the others end at a blank line. */
const HTML_ENDS: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?=[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
];

function findOpenHtml(html: Html, text: string): RegExp | undefined {
  const slice = text.slice(html.position?.start.offset, html.position?.end.offset);
  const end = HTML_ENDS.find(([begin]) => begin.test(slice))?.[1];
  if (end !== undefined) return end.test(slice) ? undefined : end;
  const rest = text.slice(html.position?.end.offset);
  const blank = /(?:\r\n|\r(?!\n)|\n)[ \t]*[\r\n]/;
  return blank.test(rest) ? undefined : blank;
}

function countLines(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
