import { type Markdown, type MarkdownLine, parseMarkdown } from "./markdown-lines.ts";
import { isEnvTitle, LEDGER_KEYS, type LedgerKey, type RawBlock, readBlocks } from "./read-blocks.ts";

/** What a ledger says of one environment; null: it does not say it. */
export interface LedgerBlock {
  readonly name: string;
  /** The 8 digits of its spec. */
  readonly hash: string;
  /** Of its heading. */
  readonly line: number;
  readonly how: string | null;
  readonly tier: string | null;
  readonly weights: string | null;
  readonly validated: string | null;
  readonly gotchas: readonly string[];
  /** All of it, from its heading on, as people wrote it. */
  readonly text: string;
}

export interface Ledger {
  /** As they stand in the file. */
  readonly blocks: readonly LedgerBlock[];
  /** For people, each with its line. */
  readonly warnings: readonly string[];
}

/** Reads a ledger that people write, too: what is not understood is warned about, and nothing is refused. */
export function parseLedger(page: string | Uint8Array): Ledger {
  const markdown = parseLedgerLines(page);
  const { blocks, warnings } = readBlocks(markdown);
  const conflict = findConflict(markdown.lines);
  const counting = new Set(new Map(blocks.map((block) => [`${block.name}@${block.hash}`, block])).values());
  return {
    blocks: blocks.map((block) => readBlock(block, markdown.lines)),
    warnings: [
      ...(conflict === null ? [] : [`line ${conflict}: a merge conflict stands here; both sides are read`]),
      ...findUnclosed(markdown),
      ...warnings,
      ...blocks.flatMap((block) => findRepeated(block, counting, markdown.lines)),
    ],
  };
}

/** The block of an environment; of several, the last counts, since people add at the end. */
export function findBlock<Block extends { readonly name: string; readonly hash: string }>(
  blocks: readonly Block[],
  { name, hash }: { readonly name: string; readonly hash: string },
): Block | null {
  return blocks.filter((block) => block.name === name && block.hash === hash).at(-1) ?? null;
}

export function parseLedgerLines(page: string | Uint8Array): Markdown {
  return parseMarkdown(page, isEnvTitle);
}

/** The line of the first mark that an unsolved merge has left; null: none. */
export function findConflict(lines: readonly MarkdownLine[]): number | null {
  return lines.find(({ text }) => /^(<{7}|>{7}|\|{7})( |$)/.test(text))?.number ?? null;
}

function findUnclosed({ lines, fences }: Markdown): string[] {
  return fences
    .filter(({ isClosed }) => !isClosed)
    .map(({ from }) => `line ${lines[from]?.number}: the fence that opens here is never closed`);
}

function findRepeated(block: RawBlock, counting: ReadonlySet<RawBlock>, lines: readonly MarkdownLine[]) {
  const name = `${block.name}@${block.hash}`;
  const repeated = LEDGER_KEYS.flatMap((key) => {
    const entries = key === "gotcha" ? [] : block.entries.filter((entry) => entry.key === key);
    return entries
      .slice(0, -1)
      .map(
        ({ from }) =>
          `line ${lines[from]?.number}: \`${key}\` of ${name} is given again below, and that counts`,
      );
  });
  if (counting.has(block)) return repeated;
  return [...repeated, `line ${lines[block.from]?.number}: ${name} has another block below, and that counts`];
}

function readBlock({ name, hash, from, to, entries }: RawBlock, lines: readonly MarkdownLine[]): LedgerBlock {
  const find = (key: LedgerKey) => entries.filter((entry) => entry.key === key).at(-1)?.values[0] ?? null;
  return {
    ...{ name, hash, line: lines[from]?.number ?? 0 },
    ...{ how: find("how"), tier: find("tier"), weights: find("weights"), validated: find("validated") },
    gotchas: entries.filter(({ key }) => key === "gotcha").flatMap(({ values }) => values),
    text: lines
      .slice(from, to)
      .map((line) => line.text + line.end)
      .join(""),
  };
}
