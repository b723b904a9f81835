import { createHash } from "node:crypto";
import { findLikely } from "../../base/nearest.ts";
import { quoteInput } from "../../base/quote-input.ts";
import { type Fence, parseMarkdown } from "../ledger/markdown-lines.ts";
import type { LedgerBlock } from "../ledger/parse-ledger.ts";
import { type Expectation, parseExpectations } from "./expectations.ts";

/** A fenced block that its document marks as true: run as it stands, it does what it says. */
export interface DocumentedCommand {
  readonly file: string;
  /** Of the line that opens its fence. */
  readonly line: number;
  /** Run verbatim. */
  readonly text: string;
  readonly shell: "sh" | "bash";
  readonly expectations: readonly Expectation[];
}

export interface DocumentSources {
  readonly ledger: { readonly file: string; readonly block: LedgerBlock } | null;
  /** A page in Markdown. */
  readonly readme: { readonly file: string; readonly text: string } | null;
}

export interface FoundDocument {
  /** In their order; empty: nothing is documented. */
  readonly commands: readonly DocumentedCommand[];
  /** What tier 3 is true of; null: nothing is documented. */
  readonly hash: string | null;
  /** What the commands stand in: the block of the ledger, or the page. */
  readonly page: { readonly file: string; readonly text: string } | null;
  /** For people, each with its file and line. */
  readonly warnings: readonly string[];
}

const MARKER = "sortie-check";

/** Languages of a fence, with the shell that runs it; a console shows prompts, too. */
const SHELLS: ReadonlyMap<string, DocumentedCommand["shell"]> = new Map([
  ...(["", "sh", "shell", "console", "shell-session", "shellsession"] as const).map(
    (name) => [name, "sh"] as const,
  ),
  ["bash", "bash"],
]);

/** The blocks that are marked with `sortie-check`: those of the environment's block in the ledger, else those of the README. */
export function findDocument({ ledger, readme }: DocumentSources): FoundDocument {
  const warnings: string[] = [];
  const pages = [
    ...(ledger ? [{ file: ledger.file, text: ledger.block.text, firstLine: ledger.block.line }] : []),
    ...(readme ? [{ ...readme, firstLine: 1 }] : []),
  ];
  for (const { file, text, firstLine } of pages) {
    const commands = findCommands({ file, text, firstLine }, warnings);
    if (commands.length === 0) continue;
    const hash = hashDocument(ledger?.block.how ?? null, commands);
    return { commands, hash, page: { file, text }, warnings };
  }
  return { commands: [], hash: null, page: null, warnings };
}

/** 8 digits: of what is run, and of how the environment came to be. */
function hashDocument(how: string | null, commands: readonly DocumentedCommand[]): string {
  const documented = { how, commands: commands.map(({ shell, text }) => [shell, text]) };
  return createHash("sha256").update(JSON.stringify(documented)).digest("hex").slice(0, 8);
}

function findCommands(
  { file, text, firstLine }: { file: string; text: string; firstLine: number },
  warnings: string[],
): DocumentedCommand[] {
  return parseMarkdown(text).fences.flatMap((fence) => {
    const line = firstLine + fence.from;
    const warn = (at: number, reason: string) => warnings.push(`${file} line ${line + at}: ${reason}`);
    const language = readLanguage(fence, (reason) => warn(0, reason));
    if (language === null) return [];
    const shown = [...fence.content];
    const shell = SHELLS.get(language) as DocumentedCommand["shell"];
    const expectations = parseExpectations(shown, (at, reason) => warn(at + 1, reason));
    if (expectations.filter(({ kind }) => kind === "exit").length > 1) {
      warn(0, "it expects several exit codes: the last counts");
    }
    const lines = shell === "sh" && isConsole(language) ? readConsole(shown) : shown;
    if (!lines.some((one) => /^\s*[^\s#]/.test(one))) {
      warn(0, "it is marked, but holds no command");
      return [];
    }
    return [{ file, line, text: `${lines.join("\n")}\n`, shell, expectations }];
  });
}

/** Of a marked fence that can be run; else null, and what looks like a mistake is told. */
function readLanguage({ info, isClosed }: Fence, warn: (reason: string) => void): string | null {
  const words = info
    .split(/[\s{},]+/)
    .map((word) => word.replace(/^\./, "").toLowerCase())
    .filter((word) => word !== "");
  if (!words.includes(MARKER)) {
    const near = [...words, words.slice(-2).join("-")].find((word) => findLikely(word, [MARKER]));
    if (near) warn(`${quoteInput(near)} marks nothing: did you mean \`${MARKER}\`?`);
    return null;
  }
  const language = words.find((word) => word !== MARKER) ?? "";
  if (!isClosed) warn("this fence is marked and never closed: it is not run");
  else if (!SHELLS.has(language)) {
    warn(`a block in ${quoteInput(language)} cannot be run: mark one in sh, bash or console`);
  } else return language;
  return null;
}

function isConsole(language: string): boolean {
  return /^(console|shell-?session)$/.test(language);
}

/** What stands behind the prompts; a command that ends with a backslash goes on in the next line. */
function readConsole(shown: readonly string[]): string[] {
  const commands: string[] = [];
  let goesOn = false;
  for (const line of shown) {
    const prompted = /^\s*\$ (.*)$/.exec(line)?.[1];
    const command: string | undefined = goesOn ? (prompted ?? line.replace(/^\s*> /, "")) : prompted;
    if (command !== undefined) commands.push(command);
    goesOn = command?.endsWith("\\") ?? false;
  }
  return commands;
}
