import { Command, CommanderError } from "commander";
import { SortieError } from "../base/error.ts";
import type { CommandModule } from "./define-command.ts";

export type Parsed =
  | { readonly kind: "call"; readonly options: Record<string, unknown>; readonly args: string[] }
  | { readonly kind: "help"; readonly text: string };

/** Reads a command's arguments, running nothing. @throws usage */
export function parseCall(
  name: string,
  summary: string,
  module: CommandModule,
  argv: readonly string[],
): Parsed {
  let text = "";
  const command = module
    .describe(new Command(`sortie ${name}`).description(summary))
    .exitOverride()
    .configureOutput({ writeOut: (part) => (text += part), writeErr: () => undefined })
    .action(() => undefined);
  if (module.below) command.addHelpText("after", `\n${formatBelow(name, module.below)}`);
  if (!command.options.some((option) => option.long === "--json"))
    command.option("--json", "print one JSON document");
  try {
    command.parse([...argv], { from: "user" });
  } catch (fault) {
    if (!(fault instanceof CommanderError)) throw fault;
    if (fault.code === "commander.helpDisplayed") return { kind: "help", text };
    throw new SortieError("usage", { problem: describeProblem(fault), command: `sortie ${name}` }, fault);
  }
  return { kind: "call", options: command.opts(), args: command.args };
}

function formatBelow(name: string, below: NonNullable<CommandModule["below"]>): string {
  const width = Math.max(...Object.keys(below).map((word) => word.length)) + 2;
  const lines = Object.entries(below).map(([word, { summary }]) => `  ${word.padEnd(width)}${summary}`);
  return [`Commands (\`sortie ${name} COMMAND --help\` shows what one takes):`, ...lines].join("\n");
}

function describeProblem(fault: CommanderError): string {
  const sentence = fault.message
    .replace(/^error: /, "")
    .replace(/\n\(Did you mean (.*)\?\)$/, "; did you mean $1?");
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
