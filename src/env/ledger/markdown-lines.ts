export interface MarkdownLine {
  /** From 1. */
  readonly number: number;
  /** Its bytes, one a character, without the line end. */
  readonly bytes: string;
  /** `\n`, `\r\n`, or nothing at the end of a file. */
  readonly end: string;
  /** For people: decoded, without a byte order mark. */
  readonly text: string;
  /** `code` lies in a fence, `fence` opens or closes one, `hidden` lies in a comment. */
  readonly kind: "text" | "heading" | "fence" | "code" | "hidden";
  /** Of a heading, from 1; else 0. */
  readonly level: number;
  /** Of a heading. */
  readonly title: string;
}

/** A fenced block of code. */
export interface Fence {
  /** Places in the list of lines: of the line that opens it, and of the one after its last. */
  readonly from: number;
  readonly to: number;
  readonly isClosed: boolean;
  /** What stands behind the opening marks. */
  readonly info: string;
  /** Its content as the page shows it: the opening line's indent is taken off. */
  readonly content: readonly string[];
}

export interface Markdown {
  readonly lines: readonly MarkdownLine[];
  readonly fences: readonly Fence[];
}

type RawLine = Pick<MarkdownLine, "number" | "bytes" | "end" | "text">;
type Kind = Pick<MarkdownLine, "kind" | "level" | "title">;

const OPENING = /^([ \t]*(?:>[ \t]?)*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?)(`{3,}|~{3,})[ \t]*(.*)$/;
const TEXT: Kind = { kind: "text", level: 0, title: "" };

/**
 * The lines of a page, as far as blocks of it depend on them: headings, fences, comments. Written by people: a fence that
 * nobody closes ends before the next heading that `isBoundary` (given its title) knows, or with the page.
 */
export function parseMarkdown(
  page: string | Uint8Array,
  isBoundary: (title: string) => boolean = () => false,
): Markdown {
  const lines = splitLines(page);
  const lastCommentEnd = lines.findLastIndex(isCommentEnd);
  const kinds: Kind[] = [];
  const fences: Fence[] = [];
  while (kinds.length < lines.length) {
    const at = kinds.length;
    const commentEnd = at < lastCommentEnd ? findCommentEnd(lines, at) : null;
    const fence = commentEnd === null ? findFence(lines, at, isBoundary) : null;
    if (commentEnd !== null) {
      fill(kinds, commentEnd, "hidden");
    } else if (fence) {
      fences.push(fence);
      fill(kinds, at + 1, "fence");
      fill(kinds, fence.to - (fence.isClosed ? 1 : 0), "code");
      fill(kinds, fence.to, "fence");
    } else {
      kinds.push(readHeading(lines, at) ?? TEXT);
    }
  }
  return { lines: lines.map((line, at) => ({ ...line, ...(kinds[at] as Kind) })), fences };
}

function splitLines(page: string | Uint8Array): RawLine[] {
  const bytes = (typeof page === "string" ? Buffer.from(page) : Buffer.from(page)).toString("latin1");
  return (bytes.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((whole, index) => {
    const end = /\r?\n$/.exec(whole)?.[0] ?? "";
    const line = whole.slice(0, whole.length - end.length);
    const text = Buffer.from(line, "latin1").toString("utf8");
    return { number: index + 1, bytes: line, end, text: index === 0 ? text.replace(/^\ufeff/, "") : text };
  });
}

function fill(kinds: Kind[], to: number, kind: MarkdownLine["kind"]) {
  while (kinds.length < to) kinds.push({ ...TEXT, kind });
}

/** The place after a comment that begins with this line and ends on another, of which there are some; null: none begins. */
function findCommentEnd(lines: readonly RawLine[], at: number): number | null {
  const first = lines[at] as RawLine;
  if (!/^[ \t]*<!--/.test(first.text) || isCommentEnd(first)) return null;
  let end = at + 1;
  while (!isCommentEnd(lines[end] as RawLine)) end += 1;
  return end + 1;
}

function isCommentEnd({ text }: RawLine): boolean {
  return text.includes("-->");
}

function findFence(
  lines: readonly RawLine[],
  from: number,
  isBoundary: (title: string) => boolean,
): Fence | null {
  const opening = OPENING.exec((lines[from] as RawLine).text);
  if (!opening) return null;
  const [, lead = "", marks = "", info = ""] = opening;
  if (marks.startsWith("`") && info.includes("`")) return null; // code within a line
  const closing = new RegExp(`^[ \\t]*(?:>[ \\t]?)*${marks[0]}{${marks.length},}[ \\t]*$`);
  let boundary: number | null = null;
  let to = from + 1;
  for (; to < lines.length; to += 1) {
    const { text } = lines[to] as RawLine;
    if (closing.test(text)) break;
    const title = readHeading(lines, to)?.title;
    if (title !== undefined && isBoundary(title)) boundary ??= to;
    // A second one opens behind such a heading: what closes it does not close the first.
    if (boundary !== null && OPENING.exec(text)?.[3]) {
      to = lines.length;
      break;
    }
  }
  const isClosed = to < lines.length;
  const end = isClosed ? to : (boundary ?? lines.length);
  const content = lines.slice(from + 1, end).map(({ text }) => takeOffIndent(text, lead));
  return { from, to: isClosed ? to + 1 : end, isClosed, info: info.trim(), content };
}

function takeOffIndent(text: string, lead: string): string {
  let at = 0;
  while (at < lead.length && at < text.length && (text[at] === lead[at] || text[at] === " ")) at += 1;
  return text.slice(at);
}

function readHeading(lines: readonly RawLine[], at: number): Kind | null {
  const { text } = lines[at] as RawLine;
  // `###env:` is none in Markdown, but was meant as one.
  const marked = /^ {0,3}(#{1,6})(?:[ \t]+|(?=env\b)|$)(.*?)(?:[ \t]+#+)?[ \t]*$/i.exec(text);
  if (marked) return { kind: "heading", level: marked[1]?.length ?? 0, title: marked[2]?.trim() ?? "" };
  const under = /^ {0,3}(=+|--+)[ \t]*$/.exec(lines[at + 1]?.text ?? "")?.[1];
  // Seven of them divide the two sides of a merge conflict.
  if (under === undefined || under === "=======" || !/^ {0,3}[^\s>|*+\-#:：][^:：]*$/.test(text)) return null;
  return { kind: "heading", level: under.startsWith("=") ? 1 : 2, title: text.trim() };
}
