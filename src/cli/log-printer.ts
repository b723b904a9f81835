import { makePrintable } from "../base/printable.ts";
import { LogFolder } from "../supervise/read-log.ts";
import type { Io } from "./io.ts";

export interface LogPrinter {
  push(bytes: Uint8Array): void;
  /** Ends the line that is being written, so that something else can be said. */
  pause(): void;
  finish(): void;
}

/**
 * Prints a growing log for people: progress bars move on a terminal, and are folded elsewhere. Colours pass; no
 * other control character of the log reaches the terminal. With `--json` nothing is printed.
 */
export function makeLogPrinter(io: Io): LogPrinter {
  const folder = new LogFolder();
  let shown = "";

  const clear = () => {
    if (shown !== "") io.write("\r\u001b[2K");
    shown = "";
  };

  return {
    push(bytes) {
      if (io.json) return;
      const lines = folder.push(bytes);
      clear();
      if (lines.length > 0) io.write(`${lines.map(makeShowable).join("\n")}\n`);
      if (!io.isTerminal) return;
      shown = cutToWidth(makeShowable(folder.rest), io.columns);
      io.write(shown);
    },
    pause() {
      if (shown !== "") io.write("\n");
      shown = "";
    },
    finish() {
      if (io.json) return;
      clear();
      if (folder.rest !== "") io.write(`${makeShowable(folder.rest)}\n`);
    },
  };
}

/** Colour sequences pass, on what is one line. */
function makeShowable(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour sequences begin with escape
  const parts = line.split(/(\u001b\[[0-9;]*m)/);
  if (parts.length === 1) return makePrintable(line);
  return `${parts.map((part, index) => (index % 2 === 1 ? part : makePrintable(part))).join("")}\u001b[0m`;
}

function cutToWidth(text: string, columns: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour sequences have no width
  return text.length < columns
    ? text
    : text.replace(/\u001b\[[0-9;]*m/g, "").slice(0, Math.max(10, columns - 1));
}
