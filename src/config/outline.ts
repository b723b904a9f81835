import type { List, ListItem, Nodes, RootContent } from "mdast";
import { limitMarkers } from "./bounded-text.ts";
import { type MarkdownChunk, parseChunks } from "./markdown-chunks.ts";
import { cleanHeading, joinLines, stripComments } from "./visible-text.ts";

/** A text is read up to this many characters; a value that reaches it is refused. */
export const longestText = 8192;

/** One list item: its first paragraph as written (lines joined by a newline, their indentation dropped). */
export interface OutlineItem {
  readonly line: number;
  readonly text: string;
  readonly children: readonly OutlineItem[];
}

export interface OutlineText {
  readonly line: number;
  readonly text: string;
}

/** A heading with what stands under it, up to the next heading of any level; lines are counted from 1. */
export interface OutlineSection {
  readonly heading: string;
  readonly depth: number;
  readonly line: number;
  readonly endLine: number;
  readonly items: readonly OutlineItem[];
  readonly paragraphs: readonly OutlineText[];
}

export interface Outline {
  readonly sections: readonly OutlineSection[];
  /** Fenced and indented code, wherever it stands. */
  readonly code: readonly OutlineText[];
  /** Lines that were left out because they are nested too deep or are too many. */
  readonly leftOut: readonly number[];
}

/**
 * The sections and list items of a Markdown text. Quotes, code and HTML comments are left out, as a reader of the
 * page would not see them or not take them for settings. Texts are slices of the source: values are not Markdown.
 */
export function parseOutline(text: string): Outline {
  // The parser drops a byte order mark, which would shift every place that it tells.
  const source = text.replace(/^\uFEFF/, "");
  const bounded = limitMarkers(source);
  const chunks = parseChunks(bounded.text);
  return {
    sections: chunks.flatMap((chunk) => readChunk(chunk, makeReader(source, chunk))),
    code: chunks.flatMap((chunk) => collectCode(chunk.root, makeReader(source, chunk))),
    leftOut: bounded.blanked,
  };
}

interface Reader {
  startLine(node: Nodes): number;
  endLine(node: Nodes): number;
  slice(node: Nodes): string;
  /** The node's text without comments; undefined inside a comment that an earlier text opened. */
  read(node: Nodes): string | undefined;
}

/** A comment may open inside one item and close in a later one: what lies between is meant to be hidden. */
function makeReader(source: string, chunk: MarkdownChunk): Reader {
  let hiddenUntil = 0;
  const chunkEnd = chunk.offset + (chunk.root.position?.end.offset ?? 0);
  const startOf = (node: Nodes) => chunk.offset + (node.position?.start.offset ?? 0);
  const slice = (node: Nodes) => {
    const end = chunk.offset + (node.position?.end.offset ?? 0);
    return source.slice(startOf(node), Math.min(end, startOf(node) + longestText));
  };
  return {
    startLine: (node) => chunk.line - 1 + (node.position?.start.line ?? 1),
    endLine: (node) => chunk.line - 1 + (node.position?.end.line ?? 1),
    slice,
    read(node) {
      if (startOf(node) < hiddenUntil) return undefined;
      const { text, openAt } = stripComments(slice(node));
      const close = openAt === undefined ? -1 : source.indexOf("-->", startOf(node) + openAt);
      if (close !== -1 && close < chunkEnd) hiddenUntil = close;
      return joinLines(text);
    },
  };
}

function readChunk(chunk: MarkdownChunk, reader: Reader): OutlineSection[] {
  const sections: OutlineSection[] = [];
  let nodes: RootContent[] = [];
  let heading: RootContent | undefined;
  for (const node of [...chunk.root.children, undefined]) {
    if (node !== undefined && node.type !== "heading") {
      nodes.push(node);
      continue;
    }
    if (heading?.type === "heading") sections.push(readSection(heading, heading.depth, nodes, reader));
    heading = node;
    nodes = [];
  }
  return sections;
}

function readSection(
  heading: RootContent,
  depth: number,
  nodes: readonly RootContent[],
  reader: Reader,
): OutlineSection {
  const items: OutlineItem[] = [];
  const paragraphs: OutlineText[] = [];
  for (const node of nodes) {
    if (node.type === "list") items.push(...readList(node, reader));
    const text = node.type === "paragraph" ? reader.read(node) : undefined;
    if (text) paragraphs.push({ line: reader.startLine(node), text });
  }
  return {
    heading: cleanHeading(reader.slice(heading)),
    depth,
    line: reader.startLine(heading),
    endLine: reader.endLine(nodes.at(-1) ?? heading),
    items,
    paragraphs,
  };
}

function readList(list: List, reader: Reader): OutlineItem[] {
  return list.children.flatMap((item) => readItem(item, reader));
}

function readItem(item: ListItem, reader: Reader): OutlineItem[] {
  const [first, ...others] = item.children;
  if (!first) return [];
  const text = first.type === "paragraph" ? reader.read(first) : "";
  const rest = first.type === "paragraph" ? others : item.children;
  const children = rest.flatMap((node) => (node.type === "list" ? readList(node, reader) : []));
  return text === undefined ? children : [{ line: reader.startLine(first), text, children }];
}

function collectCode(node: Nodes, reader: Reader): OutlineText[] {
  if (node.type === "code") return [{ line: reader.startLine(node), text: node.value }];
  return "children" in node ? node.children.flatMap((child) => collectCode(child, reader)) : [];
}
