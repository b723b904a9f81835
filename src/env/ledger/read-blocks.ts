import { findLikely } from "../../base/nearest.ts";
import { quoteInput } from "../../base/quote-input.ts";
import type { Markdown, MarkdownLine } from "./markdown-lines.ts";

export const LEDGER_KEYS = ["how", "tier", "weights", "validated", "gotcha"] as const;
export type LedgerKey = (typeof LEDGER_KEYS)[number];

/** A line `key: value` of a block, with the lines that go on with it. */
export interface Entry {
  readonly key: LedgerKey;
  /** Places in the list of lines: its first, and the one after its last. */
  readonly from: number;
  readonly to: number;
  /** What stands before the value, and before that what stands before the key. */
  readonly prefix: string;
  readonly lead: string;
  /** `**` and the like around the key. */
  readonly mark: string;
  readonly values: readonly string[];
}

/** One block, by places in the list of lines. */
export interface RawBlock {
  readonly name: string;
  readonly hash: string;
  /** Its heading, and the place after its last line. */
  readonly from: number;
  readonly to: number;
  readonly entries: readonly Entry[];
}

const ENTRY =
  /^([ \t]*(?:>[ \t]?)*(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+)?(?:\[[ xX]\][ \t]+)?)(\*\*|__|[*_`]?)([A-Za-z]{2,20})(?:\2[ \t]*[:：]|[ \t]*[:：]\2)([ \t\u3000]*)(.*)$/;
const BULLET = /^[ \t]*(?:>[ \t]?)*(?:[-*+]|\d{1,3}[.)])[ \t]+(.*)$/;

/** Whether a heading begins a block, well written or not. */
export function isEnvTitle(title: string): boolean {
  return /^[*`]*env[*`]*\s*[:：]/i.test(title);
}

/** The blocks of a ledger, and what in them was not understood, by line. */
export function readBlocks({ lines }: Markdown): { blocks: RawBlock[]; warnings: string[] } {
  const blocks: RawBlock[] = [];
  const warnings: string[] = [];
  for (const [from, line] of lines.entries()) {
    if (line.kind !== "heading") continue;
    const named = readTitle(line.title);
    if (named) {
      const to = findEnd(lines, from);
      blocks.push({ ...named, from, to, entries: readEntries(lines, from + 1, to, warnings) });
    } else if (isEnvTitle(line.title)) {
      warnings.push(
        `line ${line.number}: ${quoteInput(line.title)} is no environment: write \`env: NAME@HASH\` with the 8 digits of the hash`,
      );
    }
  }
  return { blocks, warnings };
}

function readTitle(title: string): { name: string; hash: string } | null {
  const plain = title.replace(/[*`]/g, "");
  const parts = /^env\s*[:：]\s*([A-Za-z0-9._-]{1,64})\s*@\s*([0-9a-f]{8})(?![0-9a-z])/i.exec(plain);
  return parts ? { name: parts[1] as string, hash: (parts[2] as string).toLowerCase() } : null;
}

function findEnd(lines: readonly MarkdownLine[], from: number): number {
  const level = lines[from]?.level ?? 0;
  let end = from + 1;
  for (; end < lines.length; end += 1) {
    const line = lines[end] as MarkdownLine;
    if (line.kind === "heading" && (line.level <= level || isEnvTitle(line.title))) break;
  }
  return end;
}

function readEntries(lines: readonly MarkdownLine[], from: number, to: number, warnings: string[]): Entry[] {
  const entries: Entry[] = [];
  for (let at = from; at < to; at += 1) {
    const found = readEntry(lines[at] as MarkdownLine, warnings);
    if (!found) continue;
    const { value, ...entry } = found;
    const more = value === "" ? readList(lines, at + 1, to, entry.key) : null;
    const rest = more ?? readRest(lines, at, to);
    const values = more ?? [[value, ...rest].filter((part) => part !== "").join(" ")];
    entries.push({
      ...entry,
      from: at,
      to: at + 1 + rest.length,
      values: values.filter((one) => one !== ""),
    });
    at += rest.length;
  }
  return entries;
}

function readEntry({ kind, text, number }: MarkdownLine, warnings: string[]) {
  const parts = kind === "text" ? ENTRY.exec(text) : null;
  if (!parts) return null;
  const [, lead = "", mark = "", word = "", , rest = ""] = parts;
  const key = findKey(word);
  if (!key) return null;
  if (key !== word.toLowerCase()) warnings.push(`line ${number}: ${quoteInput(word)} is read as \`${key}\``);
  return { key, lead, mark, prefix: text.slice(0, text.length - rest.length), value: rest.trim() };
}

/** Near spellings begin with the same letter: `now`, `who` and `show` are words of their own. */
function findKey(word: string): LedgerKey | undefined {
  const lower = word.toLowerCase();
  const near = findLikely(
    lower,
    LEDGER_KEYS.filter((key) => key[0] === lower[0]),
  );
  return LEDGER_KEYS.find((key) => key === near);
}

/** The bullets below an empty `gotcha:`; null where there are none. */
function readList(lines: readonly MarkdownLine[], from: number, to: number, key: LedgerKey): string[] | null {
  if (key !== "gotcha") return null;
  const values: string[] = [];
  for (let at = from; at < to; at += 1) {
    const line = lines[at] as MarkdownLine;
    const bullet = line.kind === "text" && !readEntry(line, []) ? BULLET.exec(line.text)?.[1]?.trim() : "";
    if (!bullet) break;
    values.push(bullet);
  }
  return values.length === 0 ? null : values;
}

/** Lines that are further in than a key go on with its value. */
function readRest(lines: readonly MarkdownLine[], first: number, to: number): string[] {
  const indent = countIndent(lines[first] as MarkdownLine);
  const rest: string[] = [];
  for (let at = first + 1; at < to; at += 1) {
    const line = lines[at] as MarkdownLine;
    const goesOn = line.kind === "text" && line.text.trim() !== "" && countIndent(line) > indent;
    if (!goesOn || ENTRY.test(line.text) || BULLET.test(line.text)) break;
    rest.push(line.text.trim());
  }
  return rest;
}

function countIndent({ text }: MarkdownLine): number {
  return /^[ \t]*/.exec(text)?.[0].length ?? 0;
}
