import { isMarked } from "./marks.ts";

const CONTEXT_LINES = 3;

interface DiffLine {
  sign: " " | "+" | "-";
  line: string;
}

/** A unified diff between two states of a script that differ by Sortie's lines only; empty where they are equal. */
export function makeDiff(before: string, after: string, file: string): string {
  if (before === after) return "";
  const all = compareLines(splitLines(before), splitLines(after));
  const hunks = groupHunks(all).map(({ from, to }) => formatHunk(all, from, to));
  return [`--- a/${file}\n`, `+++ b/${file}\n`, ...hunks].join("");
}

/** Each line with its line end. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function compareLines(before: string[], after: string[]): DiffLine[] {
  const all: DiffLine[] = [];
  let at = 0;
  for (const line of after) {
    while (at < before.length && before[at] !== line && isOurs(before[at]))
      all.push({ sign: "-", line: before[at++] ?? "" });
    if (before[at] === line) all.push({ sign: " ", line: before[at++] ?? "" });
    else if (isOurs(line)) all.push({ sign: "+", line });
    else all.push({ sign: "-", line: before[at++] ?? "" }, { sign: "+", line });
  }
  return [...all, ...before.slice(at).map((line): DiffLine => ({ sign: "-", line }))];
}

function isOurs(line = ""): boolean {
  return isMarked(line.replace(/\n$/, ""));
}

/** Ranges of lines with changes and the lines around them; ranges that touch are one. */
function groupHunks(all: DiffLine[]): { from: number; to: number }[] {
  const hunks: { from: number; to: number }[] = [];
  for (const [index, { sign }] of all.entries()) {
    if (sign === " ") continue;
    const from = Math.max(index - CONTEXT_LINES, 0);
    const to = Math.min(index + CONTEXT_LINES + 1, all.length);
    const last = hunks.at(-1);
    if (last && from <= last.to) last.to = to;
    else hunks.push({ from, to });
  }
  return hunks;
}

function formatHunk(all: DiffLine[], from: number, to: number): string {
  const lines = all.slice(from, to);
  const range = (side: "+" | "-") => {
    const count = lines.filter(({ sign }) => sign === " " || sign === side).length;
    const before = all.slice(0, from).filter(({ sign }) => sign === " " || sign === side).length;
    return `${side}${count === 0 ? before : before + 1},${count}`;
  };
  const text = lines.map(({ sign, line }) =>
    line.endsWith("\n") ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`,
  );
  return `@@ ${range("-")} ${range("+")} @@\n${text.join("")}`;
}
