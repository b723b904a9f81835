import type { List, ListItem, Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { limitNesting } from "./bounded-text.ts";

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
}

/**
 * The sections and list items of a Markdown text. Quotes, code and HTML comments are left out, as a reader of the
 * page would not see them or not take them for settings. Texts are slices of the source: values are not Markdown.
 */
export function parseOutline(source: string): Outline {
  const root = fromMarkdown(limitNesting(source), { extensions: [{ disable: { null: INLINE_CONSTRUCTS } }] });
  const reader = makeReader(source);
  const sections: OutlineSection[] = [];
  let current: { heading: string; depth: number; line: number; nodes: Root["children"] } | undefined;
  const finish = () => {
    if (current) sections.push(readSection(current, reader));
  };
  for (const node of root.children) {
    if (node.type === "heading") {
      finish();
      current = {
        heading: cleanHeading(reader.slice(node)),
        depth: node.depth,
        line: startLine(node),
        nodes: [],
      };
    } else {
      current?.nodes.push(node);
    }
  }
  finish();
  return { sections, code: collectCode(root) };
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

interface Reader {
  slice(node: Nodes): string;
  /** The node's text without comments; undefined inside a comment that an earlier text opened. */
  read(node: Nodes): string | undefined;
}

/** A comment may open inside one item and close in a later one: what lies between is hidden on the page. */
function makeReader(source: string): Reader {
  let hiddenUntil = 0;
  const slice = (node: Nodes) => {
    const start = node.position?.start.offset ?? 0;
    return source.slice(start, Math.min(node.position?.end.offset ?? 0, start + longestText));
  };
  return {
    slice,
    read(node) {
      const start = node.position?.start.offset ?? 0;
      if (start < hiddenUntil) return undefined;
      const { text, openAt } = stripComments(slice(node));
      if (openAt === undefined) return joinLines(text);
      const close = source.indexOf("-->", start + openAt);
      if (close !== -1) hiddenUntil = close;
      return joinLines(text);
    },
  };
}

/** Comments outside code spans replaced by spaces; `openAt` is where one opens that does not close. */
function stripComments(text: string): { text: string; openAt?: number } {
  let result = "";
  let from = 0;
  for (let at = text.search(/`|<!--/); at !== -1; ) {
    const ticks = /^`+/.exec(text.slice(at))?.[0];
    const close = text.indexOf(ticks ?? "-->", at + (ticks?.length ?? 4));
    if (!ticks && close === -1) return { text: result + text.slice(from, at), openAt: at };
    const end = close === -1 ? at + (ticks as string).length : close + (ticks?.length ?? 3);
    result += ticks ? text.slice(from, end) : `${text.slice(from, at)} `;
    from = end;
    const next = text.slice(end).search(/`|<!--/);
    at = next === -1 ? -1 : end + next;
  }
  return { text: result + text.slice(from) };
}

function joinLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .join("\n")
    .trim();
}

function readSection(
  section: { heading: string; depth: number; line: number; nodes: Root["children"] },
  reader: Reader,
): OutlineSection {
  const items: OutlineItem[] = [];
  const paragraphs: OutlineText[] = [];
  for (const node of section.nodes) {
    if (node.type === "list") items.push(...readList(node, reader));
    if (node.type !== "paragraph") continue;
    const text = reader.read(node);
    if (text) paragraphs.push({ line: startLine(node), text });
  }
  const { heading, depth, line } = section;
  const last = section.nodes.at(-1);
  return { heading, depth, line, endLine: last?.position?.end.line ?? line, items, paragraphs };
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
  return text === undefined ? children : [{ line: startLine(first), text, children }];
}

function cleanHeading(source: string): string {
  return source
    .replace(/\r\n?/g, "\n")
    .replace(/\n\s*(?:=+|-+)\s*$/, "")
    .replace(/^\s*#{1,6}(?:\s+|$)/, "")
    .replace(/(?:^|\s+)#+\s*$/, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\*\*|__|[*`]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function collectCode(node: Nodes): OutlineText[] {
  if (node.type === "code") return [{ line: startLine(node), text: node.value }];
  return "children" in node ? node.children.flatMap(collectCode) : [];
}

function startLine(node: Nodes): number {
  return node.position?.start.line ?? 1;
}
