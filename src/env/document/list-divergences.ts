import { countOf } from "../../base/count-of.ts";
import { makePrintable } from "../../base/printable.ts";
import type { DocumentedCommand } from "./find-document.ts";

/** Where a document and what is true part. */
export interface Divergence {
  /** What was run. */
  readonly command: string;
  /** What the document says of it, and where. */
  readonly claim: string;
  /** What came of it. */
  readonly reality: string;
}

/** What came of one documented command. */
export interface CommandEnd {
  /** false: the environment could not be entered, so that the command was never begun. */
  readonly hasEntered: boolean;
  /** null: it was stopped. */
  readonly exitCode: number | null;
  /** Why it was stopped; null: it ended by itself. */
  readonly stopped: string | null;
  /** Of each file that is expected: `there`, `missing`, or `old`: it lay with the code, and was not written. */
  readonly files: readonly string[];
  readonly output: string;
  readonly seconds: number;
}

const MOST_CHARACTERS = 300;

export function listDivergences(documented: DocumentedCommand, end: CommandEnd): Divergence[] {
  const command = showCommand(documented);
  const makeOne = (claim: string, reality: string): Divergence => ({
    ...{ command, claim: `${documented.file} line ${documented.line}: ${claim}`, reality },
  });
  const last = quoteLastLine(end.output);
  if (!end.hasEntered) {
    return [makeOne("it runs in this environment", `the environment cannot be entered${last}`)];
  }
  if (end.stopped !== null) return [makeOne(findExit(documented).claim, end.stopped + last)];
  const exit = findExit(documented);
  const found = exit.code === end.exitCode ? [] : [makeOne(exit.claim, `exit ${end.exitCode}${last}`)];
  const lines = splitOutput(end.output);
  let files = 0;
  for (const expectation of documented.expectations) {
    if (expectation.kind === "file") {
      const state = end.files[files++];
      if (state === "missing") found.push(makeOne(expectation.claim, "there is no such file afterwards"));
      if (state === "old") {
        found.push(makeOne(expectation.claim, "it lies with the code, and the command does not write it"));
      }
    }
    if (expectation.kind === "line" && !lines.some(makeMatch(expectation))) {
      found.push(makeOne(expectation.claim, `no line of its output has it${last}`));
    }
  }
  return found;
}

/** In one line: the first, and how many there are beside it. */
export function describeDivergences(divergences: readonly Divergence[]): string {
  const [first, ...rest] = divergences;
  if (first === undefined) return "no divergence is named";
  const more = rest.length === 0 ? "" : `; and ${countOf(rest.length, "more divergence")}`;
  return `${first.claim}, but ${first.reality}${more}`;
}

/** Without its comments: of several lines each. */
function showCommand({ text }: DocumentedCommand): string {
  return text
    .split("\n")
    .filter((line) => /^\s*[^\s#]/.test(line))
    .join("\n");
}

function findExit({ expectations }: DocumentedCommand): { code: number; claim: string } {
  return expectations.filter((one) => one.kind === "exit").at(-1) ?? { code: 0, claim: "exit 0" };
}

function makeMatch({ text, pattern }: { text: string; pattern: string | null }): (line: string) => boolean {
  const look = pattern === null ? null : new RegExp(pattern, "u");
  return (line) => (look ? look.test(line) : line.includes(text));
}

/** As a reader sees them: without colours, and each state of a progress bar by itself. */
function splitOutput(output: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  return output.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "").split(/\r?\n|\r/);
}

function quoteLastLine(output: string): string {
  const last = splitOutput(output)
    .filter((line) => line.trim() !== "")
    .at(-1);
  if (last === undefined) return "; it printed nothing";
  const shown = makePrintable(last.trim());
  return `; its last line: ${shown.length > MOST_CHARACTERS ? `${shown.slice(0, MOST_CHARACTERS)}…` : shown}`;
}
