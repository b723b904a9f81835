import { readFileSync } from "node:fs";
import { describeFault, SortieError } from "../base/error.ts";
import { isExportable } from "../supervise/make-request.ts";

const ADVICE = 'A line is NAME=value, NAME=\'as it is\', NAME="with \\n, \\" and \\\\", or # a comment.';

/**
 * The variables of a file of `NAME=value` lines, `export` before them or not. A `#` begins a comment at the start of a
 * line and after white space. Quoted values may go over several lines: as they are in single quotes, with the escapes
 * \n, \" and \\ in double ones. @throws file_unreadable, which names file and line and repeats no value
 */
export function readEnvFile(path: string): Record<string, string> {
  return Object.fromEntries(parseEnvText(readText(path), path));
}

/** A byte order mark is no part of the text, and how lines end makes no difference. */
function readText(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)).replaceAll("\r\n", "\n");
  } catch (fault) {
    throw makeFault(path, describeFault(fault), "--env-file wants a text file of NAME=value lines.");
  }
}

function parseEnvText(text: string, path: string): [string, string][] {
  const pairs: [string, string][] = [];
  let at = 0;
  while (at < text.length) {
    const place = `${path}:${text.slice(0, at).split("\n").length}`;
    const { pair, end } = parseLine(text, at, place);
    if (pair) pairs.push(pair);
    at = end + 1;
  }
  return pairs;
}

/** The line, or several where a quoted value goes on, that begins at `at`; `end` is where its newline stands. */
function parseLine(text: string, at: number, place: string): { pair: [string, string] | null; end: number } {
  const end = findEnd(text, at);
  const line = text.slice(at, end);
  if (/^\s*(#|$)/.test(line)) return { pair: null, end };
  const head = /^\s*(?:export\s+)?([^=]*)=[ \t]*/.exec(line);
  if (!head) throw makeFault(place, "there is no `=`");
  const name = (head[1] as string).trim();
  if (!isExportable(name)) throw makeFault(place, "a shell cannot set a variable of this name");
  const from = at + head[0].length;
  const value = /^['"]/.test(text.slice(from, end))
    ? parseQuoted(text, from, place)
    : { text: cutComment(line.slice(line.indexOf("=") + 1)), end };
  if (value.text.includes("\0")) throw makeFault(place, "a value cannot hold a NUL byte");
  return { pair: [name, value.text], end: value.end };
}

function parseQuoted(text: string, from: number, place: string): { text: string; end: number } {
  const quote = text[from] as string;
  const pattern = quote === "'" ? /'([^']*)'/y : /"((?:[^"\\]|\\[\s\S])*)"/y;
  pattern.lastIndex = from;
  const quoted = pattern.exec(text);
  if (!quoted) throw makeFault(place, `its ${quote} is never closed`);
  const end = findEnd(text, pattern.lastIndex);
  if (!/^\s*$|^\s+#/.test(text.slice(pattern.lastIndex, end)))
    throw makeFault(place, `more than a comment follows its closing ${quote}`);
  const inside = quoted[1] as string;
  return { text: quote === "'" ? inside : resolveEscapes(inside), end };
}

function resolveEscapes(text: string): string {
  return text.replace(/\\([n"\\])/g, (_, character: string) => (character === "n" ? "\n" : character));
}

function cutComment(text: string): string {
  return text.replace(/\s#.*$/, "").trim();
}

function findEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function makeFault(path: string, reason: string, advice = ADVICE): SortieError {
  return new SortieError("file_unreadable", { path, reason, advice });
}
