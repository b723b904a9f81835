import { findCodeSpan } from "./code-span.ts";

/** Comments outside code spans dropped; `openAt` is where one opens that does not close. */
export function stripComments(text: string): { text: string; openAt?: number } {
  let result = "";
  let from = 0;
  const marks = /`+|<!--/g;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const isComment = mark[0] === "<!--";
    if (!isComment) {
      marks.lastIndex = findCodeSpan(text, mark.index)?.end ?? marks.lastIndex;
      continue;
    }
    const close = text.indexOf("-->", mark.index + 4);
    if (close === -1) return { text: result + text.slice(from, mark.index), openAt: mark.index };
    result += `${text.slice(from, mark.index)} `;
    from = close + 3;
    marks.lastIndex = from;
  }
  return { text: result + text.slice(from) };
}

/** The lines of a paragraph without the indentation that its list item asks for. */
export function joinLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .join("\n")
    .trim();
}

/** A heading's text without its marks, emphasis, links and comments. */
export function cleanHeading(source: string): string {
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
