import { findKey } from "./keys/table.ts";

/** A list item taken apart: a key with the text after its colon, or a note. */
export type ItemText =
  | { readonly key: string; readonly after: string }
  | { readonly key: null; readonly note: string };

const LONGEST_KEY = 40;
const MOST_WORDS = 4;

/**
 * Reads `key: value`, however it is decorated: `**key**: value`, `**key:** value`, `` `key`: value ``, `key： value`,
 * `` `key: value` ``, `[x] key: value`. Text before a colon that is too long for a key is a sentence, hence a note.
 */
export function parseItemText(text: string): ItemText {
  const item = unwrapCode(text.replace(/^\[[ xX]\]\s+/, ""));
  const colon = item.search(/[:：]/);
  if (colon === -1) return { key: null, note: text };
  const decorated = item.slice(0, colon).trim();
  const opener = /^[*_`]*/.exec(decorated)?.[0] ?? "";
  const closer = [...opener].reverse().join("");
  const closed = opener !== "" && decorated.length > opener.length && decorated.endsWith(closer);
  const key = unescapeMarkdown(decorated.slice(opener.length, closed ? -closer.length : undefined))
    .replace(/\s*\([^)]*\)$/, "")
    .trim();
  let after = item.slice(colon + 1);
  if (opener && !closed) after = dropCloser(after, closer);
  if (!isKey(key) || !isSeparated(key, item[colon] as string, after)) return { key: null, note: text };
  return { key, after: after.trim() };
}

/** Backslashes that an editor put before Markdown's own characters, dropped. */
export function unescapeMarkdown(text: string): string {
  return text.replace(/\\([\\_*#<>[\]`~])/g, "$1");
}

/** An item that is one code span with a colon in it stands for its content. */
function unwrapCode(item: string): string {
  const whole = /^(`+)([^`]+)\1$/.exec(item);
  return whole ? (whole[2] as string).trim() : item;
}

function dropCloser(after: string, closer: string): string {
  if (after.startsWith(closer)) return after.slice(closer.length);
  const trimmed = after.trimEnd();
  return trimmed.endsWith(closer) ? trimmed.slice(0, -closer.length) : after;
}

function isKey(key: string): boolean {
  if (key.length === 0 || key.length > LONGEST_KEY) return false;
  return /^\p{L}[\p{L}\p{N}&.'/ _-]*$/u.test(key) && key.split(/\s+/).length <= MOST_WORDS;
}

/** `https://…` and `12:30` are no keys: without white space after the colon only a known key counts. */
function isSeparated(key: string, colon: string, after: string): boolean {
  return colon === "：" || after === "" || /^[\s`"']/.test(after) || findKey(key) !== undefined;
}
