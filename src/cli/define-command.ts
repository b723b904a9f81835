import type { Command } from "commander";
import { SortieError } from "../base/error.ts";
import type { Io } from "./io.ts";

/** What a command was called with: its options, its arguments, and where it speaks. */
export interface Call<Options> {
  readonly io: Io;
  readonly options: Options;
  readonly args: readonly string[];
}

export interface CommandEntry {
  readonly summary: string;
  /** Commands are loaded when they are called: the others cost nothing. */
  readonly load: () => Promise<{ command: CommandModule }>;
  /** Not shown: Sortie calls it itself. */
  readonly hidden?: boolean;
}

/** A command is data (its arguments and options) and a function that answers with the exit code. */
export interface CommandModule {
  readonly describe: (command: Command) => Command;
  readonly run: (call: Call<never>) => Promise<number>;
  /** Every fault ends the command with this code, whatever the table says. */
  readonly faultExit?: 1;
  /** With `--json` it prints a line each: a fault is a line too. */
  readonly isStream?: true;
  /** Commands that a further word names; such a command takes no arguments itself. */
  readonly below?: Readonly<Record<string, CommandEntry>>;
}

/** Gives `run` the type of the options that `describe` declares. */
export function defineCommand<Options>(command: {
  describe: (command: Command) => Command;
  run: (call: Call<Options>) => Promise<number>;
  faultExit?: 1;
  isStream?: true;
  below?: CommandModule["below"];
}): CommandModule {
  return command as CommandModule;
}

/** A word that does nothing alone: it stands before the names of commands. */
export function defineGroup(name: string, below: Readonly<Record<string, CommandEntry>>): CommandModule {
  const problem = `One word more is needed: ${Object.keys(below).join(", ")}.`;
  return {
    describe: (command) => command,
    run: async () => {
      throw new SortieError("usage", { problem, command: `sortie ${name}` });
    },
    below,
  };
}
