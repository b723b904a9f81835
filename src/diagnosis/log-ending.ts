import type { LogPart } from "./diagnosis-row.ts";
import { findExceptions, type LoggedException } from "./log-exceptions.ts";
import { isEpilogue, readLogLines } from "./log-lines.ts";

/** The lines of each part of a log that patterns are held against, the most telling line first. */
export type LogEnding = Readonly<Record<LogPart, readonly string[]>>;

const CLOSING_LINES = 10;
/** The text of an exception may go on for some lines that nothing marks as its own. */
const MESSAGE_LINES = 5;

/** How a log ends. */
export function findEnding(log: string): LogEnding {
  const lines = readLogLines(log);
  const { exceptions, endsAt } = findExceptions(lines);
  const last = exceptions.at(-1);
  const closing = lines
    .filter((line) => !isEpilogue(line))
    .slice(-CLOSING_LINES)
    .reverse();
  const end = findLastWords(closing);
  if (last === undefined) return { end, exception: [], closing };
  const chain = findChain(lines, exceptions);
  const further = countFurtherLines(lines.slice(0, endsAt), last);
  return {
    end: further === 0 ? chain : end,
    exception: further <= MESSAGE_LINES ? chain : [],
    closing,
  };
}

/** The last line, with the line above it that it belongs to if it is indented. A progress bar belongs to none. */
function findLastWords(closing: readonly string[]): string[] {
  const top = closing.findIndex((line) => !/^\s/.test(line) || findBarCount(line) !== null);
  return top === -1 ? [...closing] : closing.slice(0, top + 1);
}

const RAISED_FROM = "The above exception was the direct cause of the following exception:";

/** The last exception and those that it was raised from. One that came up while another was handled is on its own. */
function findChain(lines: readonly string[], exceptions: readonly LoggedException[]): string[] {
  const chain: string[] = [];
  for (let index = exceptions.length - 1; index >= 0; index -= 1) {
    const { line, startsAt } = exceptions[index] as LoggedException;
    chain.push(line);
    if (lines.slice(Math.max(0, startsAt - 2), startsAt).every((text) => text !== RAISED_FROM)) break;
  }
  return chain;
}

/** Lines after an exception that neither belong to it nor to the end of the program: it went on after that. */
function countFurtherLines(lines: readonly string[], { startsAt, index }: LoggedException): number {
  const bars = lines.slice(Math.max(0, startsAt - 1), startsAt + 1).map(findBarCount);
  return lines.slice(index + 1).filter((line) => {
    const count = findBarCount(line);
    if (count !== null) return !bars.includes(count); // a bar is drawn once more, as it was, when it is closed
    return !isEpilogue(line) && !/^\s/.test(line);
  }).length;
}

function findBarCount(line: string): string | null {
  return /%\|.*?\|\s*(\d+\/\d+)/.exec(line)?.[1] ?? null;
}
