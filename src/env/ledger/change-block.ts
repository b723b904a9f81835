import type { MarkdownLine } from "./markdown-lines.ts";
import { findBlock, parseLedgerLines } from "./parse-ledger.ts";
import { type Entry, LEDGER_KEYS, type RawBlock, readBlocks } from "./read-blocks.ts";

/** What a ledger shall say of an environment; what is absent, null or empty stays as it is. */
export interface BlockChange {
  readonly name: string;
  readonly hash: string;
  readonly how?: string | null;
  readonly tier?: string | null;
  readonly weights?: string | null;
  readonly validated?: string | null;
  /** Each is added where it does not stand yet; none is ever removed. */
  readonly gotchas?: readonly string[];
}

type Line = Pick<Entry, "key"> & { readonly value: string };
/** How a line is written that is not there yet: what stands before the key, and around it. */
type Style = Pick<Entry, "lead" | "mark">;

const PLAIN: Style = { lead: "- ", mark: "" };

/**
 * A ledger with one block changed: the lines of the known keys in their places and their style, missing ones after the
 * last of them, a block that is missing at the end. Every other byte stays, also those that are no UTF-8.
 */
export function changeBlock(page: Uint8Array, change: BlockChange): Buffer {
  const markdown = parseLedgerLines(page);
  const lines = markdown.lines.map(joinLine);
  const block = findBlock(readBlocks(markdown).blocks, change);
  const wanted = listWanted(change);
  if (block) changeLines(lines, markdown.lines, block, wanted);
  else lines.push(makeBlock(markdown.lines, change, wanted));
  return Buffer.from(lines.join(""), "latin1");
}

/** What the change says, each on one line. */
export function listWanted(change: BlockChange): Line[] {
  return LEDGER_KEYS.flatMap((key) => {
    const values = key === "gotcha" ? (change.gotchas ?? []) : [change[key] ?? ""];
    return values.map((value) => ({ key, value: flatten(value) })).filter(({ value }) => value !== "");
  });
}

/** On one line, whatever kind of line ends it has; and it must not close a comment that somebody left open above. */
function flatten(value: string): string {
  return value
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .replaceAll("-->", "-- >");
}

function joinLine({ bytes, end }: MarkdownLine): string {
  return bytes + end;
}

function changeLines(
  lines: string[],
  old: readonly MarkdownLine[],
  { from, entries }: RawBlock,
  wanted: readonly Line[],
) {
  const missing: Line[] = [];
  for (const line of wanted) {
    const entry = findEntry(entries, line);
    if (!entry) missing.push(line);
    else if (!isSaid(entry, line.value)) replaceEntry(lines, old, entry, line.value);
  }
  const last = entries.at(-1);
  if (missing.length === 0) return;
  if (last) insertAfter(lines, old, last.to - 1, makeLines(missing, findStyle(last, old)));
  else insertAfter(lines, old, from, makeLines(missing, PLAIN), { parts: true });
}

/** The entry that says it or shall say it. */
function findEntry(entries: readonly Entry[], { key, value }: Line): Entry | undefined {
  const same = entries.filter((entry) => entry.key === key);
  return key === "gotcha" ? same.find((entry) => isSaid(entry, value)) : same.at(-1);
}

function isSaid(entry: Entry, value: string): boolean {
  return entry.values.some((said) => flatten(said) === value);
}

function replaceEntry(lines: string[], old: readonly MarkdownLine[], entry: Entry, value: string) {
  const prefix = /[ \t\u3000]$|：[*_`]*$/.test(entry.prefix) ? entry.prefix : `${entry.prefix} `;
  lines.fill("", entry.from, entry.to);
  lines[entry.from] = encode(prefix + value) + (old[entry.to - 1]?.end ?? "");
}

/** That of the last line; of a list of gotchas, a bullet as the list has them. */
function findStyle(last: Entry, old: readonly MarkdownLine[]): Style {
  if (last.key !== "gotcha" || last.to - last.from === 1) return last;
  const bullet = /^[ \t]*(?:>[ \t]?)*(?:[-*+]|\d{1,3}[.)])[ \t]+/.exec(old[last.to - 1]?.text ?? "");
  return bullet ? { lead: bullet[0], mark: last.mark } : last;
}

function makeLines(wanted: readonly Line[], { lead, mark }: Style): string[] {
  return wanted.map(({ key, value }) => encode(`${lead}${mark}${key}${mark}: ${value}`));
}

/** `parts`: what follows is somebody's paragraph, which an empty line keeps apart. */
function insertAfter(
  lines: string[],
  old: readonly MarkdownLine[],
  at: number,
  added: readonly string[],
  { parts = false } = {},
) {
  const end = old[at]?.end ?? "";
  const newline = end || findNewline(old);
  const text = old[at + 1]?.text ?? "";
  const gap = parts && text.trim() !== "" ? newline : "";
  lines[at] +=
    end === "" ? newline + added.join(newline) : added.map((line) => line + newline).join("") + gap;
}

/** A page without a newline at its end gets none. */
function makeBlock(
  old: readonly MarkdownLine[],
  { name, hash }: BlockChange,
  wanted: readonly Line[],
): string {
  const newline = findNewline(old);
  const last = old.at(-1);
  const isOpen = last !== undefined && last.end === "";
  const before = isOpen ? newline + newline : newline.repeat(last && last.text.trim() !== "" ? 1 : 0);
  const block = [`### env: ${name}@${hash}`, ...makeLines(wanted, PLAIN)].join(newline);
  return before + block + (isOpen ? "" : newline);
}

function findNewline(lines: readonly MarkdownLine[]): string {
  return lines.find(({ end }) => end !== "")?.end ?? "\n";
}

function encode(text: string): string {
  return Buffer.from(text).toString("latin1");
}
