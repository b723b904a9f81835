import { findCodeSpan } from "./code-span.ts";
import { unescapeMarkdown } from "./item-text.ts";
import { cutListComment, splitList } from "./list-text.ts";

/** What stands after a key's colon, before its type is known. */
export interface ValueText {
  /** The value as one text; empty where there is none. */
  readonly text: string;
  /** The value as a list: several code spans, or words between commas or spaces; quotes make one of several words. */
  readonly words: readonly string[];
  /** What follows a value in backticks. */
  readonly note: string | null;
  /** What follows the last of several values in backticks. */
  readonly listNote: string | null;
}

/**
 * A value that starts with a backticked span is that span, byte for byte, and what follows is a note. Otherwise it is the rest of
 * its line up to white space and `#`, without quotes around it.
 */
export function parseValueText(after: string): ValueText {
  const text = after.trim();
  return findCodeSpan(text, 0) ? parseSpans(text) : parsePlain(text.split("\n", 1)[0] as string);
}

/** The value of a variable or a flag: one text, and its words. */
export function makeValueText(text: string): ValueText {
  return { text: text.trim(), words: splitList(text.trim()), note: null, listNote: null };
}

function parseSpans(text: string): ValueText {
  const words: string[] = [];
  const rests: string[] = [];
  let rest = text;
  for (let span = findCodeSpan(rest, 0); span !== undefined; span = findCodeSpan(rest, 0)) {
    words.push(span.content);
    rests.push(rest.slice(span.end));
    rest = (rests.at(-1) as string).replace(/^\s*(?:,|;|\band\b)?\s*(?=`)/, "");
  }
  const [first = "", last = ""] = [rests[0], rests.at(-1)];
  return { text: words[0] ?? "", words, note: readNote(first), listNote: readNote(last) };
}

function readNote(rest: string): string | null {
  const note = cutComment(rest)
    .trim()
    .replace(/^[,;–—-]\s+/, "");
  return note === "" ? null : note.replaceAll("\n", " ");
}

function parsePlain(line: string): ValueText {
  const quoted = /^(?:"([^"]*)"|'([^']*)'|“([^”]*)”)(?:\s+#.*)?$/.exec(line);
  if (quoted) {
    const text = quoted[1] ?? quoted[2] ?? quoted[3] ?? "";
    return { text, words: text === "" ? [] : [text], note: null, listNote: null };
  }
  const text = unescapeMarkdown(cutComment(line).trim());
  return { text, words: splitList(cutListComment(line), unescapeMarkdown), note: null, listNote: null };
}

/** The text before the first `#` that begins a word. */
function cutComment(text: string): string {
  return text.replace(/(^|\s)#[^\n]*/g, "$1");
}
