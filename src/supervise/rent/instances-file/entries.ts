/** One machine in the file, as far as it can be made out. */
export interface FileEntry {
  readonly number: number;
  readonly status: string | null;
  /** What runs there. */
  readonly experiment: string | null;
}

/** What an entry says of a machine; keys are the file's own. */
export type EntryFields = Readonly<Record<string, string | number | null>>;

interface Span {
  /** Of the text. */
  readonly from: number;
  readonly to: number;
  readonly value: unknown;
}

/** The machines that a file names; what is no entry is passed over, and a text that is no list of them names none. */
export function readEntries(text: string): FileEntry[] {
  return (findSpans(text) ?? []).flatMap(({ value }) => {
    const number = readNumber(value);
    if (number === null) return [];
    const { status, experiment } = value as Record<string, unknown>;
    return [{ number, status: readText(status), experiment: readText(experiment) }];
  });
}

/**
 * The text with the entry of a machine changed, or added where it has none and `added` says what such an entry holds. Every other
 * entry, and the space between, stays as it is. null: nothing changes, or the text is no list.
 */
export function changeEntry(
  text: string,
  number: number,
  { changed, added }: { readonly changed: EntryFields; readonly added: EntryFields | null },
): string | null {
  const spans = findSpans(text);
  if (spans === null) return null;
  const own = spans.find(({ value }) => readNumber(value) === number);
  if (own === undefined) return added && addEntry(text, spans, { instance_id: number, ...added });
  const before = own.value as Record<string, unknown>;
  const isTrue = Object.entries(changed).every(([key, value]) => before[key] === value);
  if (isTrue) return null;
  const isOneLine = !text.slice(own.from, own.to).includes("\n");
  const entry = writeEntry({ ...before, ...changed }, isOneLine ? null : findIndent(text, own.from));
  return text.slice(0, own.from) + entry + text.slice(own.to);
}

function addEntry(text: string, spans: readonly Span[], fields: EntryFields): string {
  const last = spans.at(-1);
  if (last === undefined) {
    const open = text.indexOf("[") + 1;
    return `${text.slice(0, open)}\n  ${writeEntry(fields, "  ")}\n${text.slice(text.indexOf("]", open))}`;
  }
  const indent = findIndent(text, last.from);
  return `${text.slice(0, last.to)},\n${indent}${writeEntry(fields, indent)}${text.slice(last.to)}`;
}

function writeEntry(fields: object, indent: string | null): string {
  if (indent === null) return JSON.stringify(fields);
  return JSON.stringify(fields, null, 2).replaceAll("\n", `\n${indent}`);
}

/** The white space that a line begins with, up to a place in it. */
function findIndent(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Where each element of the list stands; null: the text is no list. */
function findSpans(text: string): Span[] | null {
  if (!Array.isArray(parse(text.replace(/^\uFEFF/, "")))) return null;
  const spans: Span[] = [];
  let depth = 0;
  let from: number | null = null;
  // Strings are passed over whole: what stands in them is no bracket.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]|[^\s"[\]{},]+/g)) {
    if (depth === 1 && (token === "," || token === "]")) {
      if (from !== null) spans.push(makeSpan(text, from, index));
      from = null;
    } else if (depth === 1) from ??= index;
    if (token === "[" || token === "{") depth += 1;
    if (token === "]" || token === "}") depth -= 1;
  }
  return spans;
}

function makeSpan(text: string, from: number, end: number): Span {
  const to = from + text.slice(from, end).trimEnd().length;
  return { from, to, value: parse(text.slice(from, to)) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // it is somebody else's file: what cannot be read is left alone
  }
}

/** It stands there as a number or as a text. */
function readNumber(value: unknown): number | null {
  const { instance_id: id } = Object(value) as { instance_id?: unknown };
  return /^\d{1,15}$/.test(String(id)) ? Number(id) : null;
}

function readText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
