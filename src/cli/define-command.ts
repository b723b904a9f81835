import type { Command } from "commander";
import type { Io } from "./io.ts";

/** What a command was called with: its options, its arguments, and where it speaks. */
export interface Call<Options> {
  readonly io: Io;
  readonly options: Options;
  readonly args: readonly string[];
}

/** A command is data (its arguments and options) and a function that answers with the exit code. */
export interface CommandModule {
  readonly describe: (command: Command) => Command;
  readonly run: (call: Call<never>) => Promise<number>;
  /** Every fault ends the command with this code, whatever the table says. */
  readonly faultExit?: 1;
}

/** Gives `run` the type of the options that `describe` declares. */
export function defineCommand<Options>(command: {
  describe: (command: Command) => Command;
  run: (call: Call<Options>) => Promise<number>;
  faultExit?: 1;
}): CommandModule {
  return command as CommandModule;
}
