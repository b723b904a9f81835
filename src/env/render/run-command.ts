import { quoteCommand } from "../../base/quote.ts";

/** A command of a spec as one shell command. One of several lines ends at the first line that fails. */
export function makeRunCommand(command: string): string {
  const text = command.trim();
  return quoteCommand(["sh", text.includes("\n") ? "-ec" : "-c", text]);
}
