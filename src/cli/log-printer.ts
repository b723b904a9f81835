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

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour sequences begin with escape
const COLOUR = /\u001b\[[0-9;]*m/g;
const COLOUR_OFF = "\u001b[0m";

/** A line of a log for people: colour sequences pass, and end with their line; no other control character does. */
export function makeShowable(line: string): string {
  const plain = line.split(COLOUR).map(makePrintable);
  const colours = line.match(COLOUR) ?? [];
  if (colours.length === 0) return plain[0] as string;
  return plain.map((part, index) => `${part}${colours[index] ?? ""}`).join("") + COLOUR_OFF;
}

function cutToWidth(text: string, columns: number): string {
  return text.length < columns ? text : text.replace(COLOUR, "").slice(0, Math.max(10, columns - 1));
}
