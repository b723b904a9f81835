import { readShellValue } from "./shell-value.ts";
import { parseStateLines, type StateLine } from "./state-lines.ts";

/**
 * Sets variables in the text of a state file, each to `NAME='value'`; null takes one out. The last place that sets it is
 * changed and earlier ones go; a new one is added at the end. Whatever else stands there is kept, byte for byte. `said`:
 * clauses about the file, each with its line.
 */
export function changeLines(
  text: string,
  changes: readonly (readonly [name: string, value: string | null])[],
): { text: string; said: string[] } {
  const said: string[] = [];
  let changed = text;
  for (const [name, value] of changes) changed = changeOne(changed, name, value, said);
  return { text: changed, said };
}

interface Piece extends StateLine {
  /** Whether it is a line of its own. */
  readonly isAlone: boolean;
}

function changeOne(text: string, name: string, value: string | null, said: string[]): string {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const pieces = listPieces(text.slice(mark.length));
  const own = pieces.filter(
    (piece) => piece.name === name || (piece.unread === name && isReplaceable(piece)),
  );
  const last = own.at(-1);
  const lines = groupLines(pieces).map((line) => changeLine(line, { own, last, name, value }));
  const rest = mark + lines.join("");
  for (const { unread, line } of pieces)
    if (unread === name && !own.some((piece) => piece.line === line))
      said.push(`line ${line}: what sets ${name} there is left, only a shell can tell what it is`);
  if (last !== undefined || value === null) return rest;
  const start = rest === "" || rest.endsWith("\n") ? rest : `${rest}\n`;
  return `${start}${makeSetting(name, value)}\n`;
}

function listPieces(text: string): Piece[] {
  const lines = parseStateLines(text);
  return lines.map((piece, index) => {
    const begins = index === 0 || endsLine(lines[index - 1] as StateLine);
    return { ...piece, isAlone: begins && (endsLine(piece) || index === lines.length - 1) };
  });
}

function endsLine({ text }: StateLine): boolean {
  return text.endsWith("\n");
}

/** A line that only sets this one name to something; where a quote is open it may go on below, so it is not touched. */
function isReplaceable({ text, isAlone }: Piece): boolean {
  const quotes = (text.match(/['"`]/g) ?? []).length;
  return (
    isAlone && quotes % 2 === 0 && /^[ \t]*(export[ \t]+)?\w+=[^;&|\\]*$/.test(text.replace(/\r?\n$/, ""))
  );
}

function groupLines(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [];
  for (const piece of pieces) {
    const before = lines.at(-1)?.at(-1);
    if (before === undefined || endsLine(before)) lines.push([piece]);
    else lines.at(-1)?.push(piece);
  }
  return lines;
}

interface Change {
  readonly own: readonly Piece[];
  readonly last: Piece | undefined;
  readonly name: string;
  readonly value: string | null;
}

/** An `export` before several settings is for all of them, so they stay on their line. */
function changeLine(line: readonly Piece[], { own, last, name, value }: Change): string {
  const isGone = (piece: Piece) => own.includes(piece) && (piece !== last || value === null);
  if (line.every(isGone)) return "";
  const texts = line.map((piece) => {
    if (isGone(piece)) return replaceWord(piece, name, "");
    return piece === last && value !== null ? replaceWord(piece, name, makeSetting(name, value)) : piece.text;
  });
  return texts.join("");
}

/** Puts the setting where the name and its value stood. A carriage return at the end would be part of a value in a shell. */
function replaceWord({ text, unread }: Piece, name: string, setting: string): string {
  const at = text.search(new RegExp(`\\b${name}=`));
  const end = readShellValue(text, at + name.length + 1)?.end ?? text.length;
  const after = unread === undefined ? text.slice(end).replace(/\r\n$/, "\n") : "\n";
  return text.slice(0, at) + setting + (setting === "" ? after.replace(/^[ \t]*;[ \t]*/, "") : after);
}

/** In single quotes, so that every shell reads the same. */
function makeSetting(name: string, value: string): string {
  return `${name}='${value.replaceAll("'", `'\\''`)}'`;
}
