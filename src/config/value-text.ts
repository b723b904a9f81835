import { unescapeMarkdown } from "./item-text.ts";

/** What stands after a key's colon, before its type is known. */
export interface ValueText {
  /** The value as one text; empty where there is none. */
  readonly text: string;
  /** The value as a list: several code spans, or words between commas or spaces. */
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
  const span = readSpan(text);
  return span ? parseSpans(span) : parsePlain(text.split("\n", 1)[0] as string);
}

/** The value of a variable or a flag: one text, and its words. */
export function makeValueText(text: string): ValueText {
  return { text: text.trim(), words: splitWords(text.trim()), note: null, listNote: null };
}

interface Span {
  readonly content: string;
  readonly rest: string;
}

function readSpan(text: string): Span | undefined {
  const ticks = /^`+/.exec(text)?.[0];
  if (!ticks) return undefined;
  for (const match of text.slice(ticks.length).matchAll(/`+/g)) {
    if (match[0].length !== ticks.length) continue;
    const end = ticks.length + match.index;
    return { content: cleanSpan(text.slice(ticks.length, end)), rest: text.slice(end + ticks.length) };
  }
  return undefined;
}

/** As Markdown shows it: newlines are spaces, and one space on both sides is padding. */
function cleanSpan(content: string): string {
  const line = content.replaceAll("\n", " ");
  return /^ .* $/.test(line) && line.trim() !== "" ? line.slice(1, -1) : line;
}

function parseSpans(first: Span): ValueText {
  const words = [first.content];
  let rest = first.rest;
  for (;;) {
    const between = /^\s*(?:,|;|\band\b)?\s*(?=`)/.exec(rest)?.[0];
    const next = between === undefined ? undefined : readSpan(rest.slice(between.length));
    if (!next) break;
    words.push(next.content);
    rest = next.rest;
  }
  return { text: first.content, words, note: readNote(first.rest), listNote: readNote(rest) };
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
    return { text, words: splitWords(text), note: null, listNote: null };
  }
  const text = unescapeMarkdown(cutComment(line).trim());
  return { text, words: splitWords(text), note: null, listNote: null };
}

/** The text before the first `#` that begins a word. */
function cutComment(text: string): string {
  return text.replace(/(^|\s)#[^\n]*/g, "$1");
}

function splitWords(text: string): string[] {
  const inner = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  const words = inner.includes(",") ? inner.split(",") : inner.split(/\s+/);
  return words.map((word) => unquote(word.trim())).filter((word) => word !== "");
}

function unquote(word: string): string {
  return /^(["'`])(.*)\1$/.exec(word)?.[2] ?? word;
}
