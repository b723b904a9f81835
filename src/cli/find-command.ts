import { SortieError } from "../base/error.ts";
import { findLikely } from "../base/nearest.ts";
import type { CommandEntry, CommandModule } from "./define-command.ts";

export interface FoundCommand {
  /** `gateway user add`. */
  readonly name: string;
  readonly summary: string;
  readonly command: CommandModule;
  /** What follows its words. */
  readonly argv: readonly string[];
}

type Commands = Readonly<Record<string, CommandEntry>>;

/** The command that the first words name, as deep as they go. Only the modules on the way are loaded. @throws usage */
export async function findCommand(commands: Commands, argv: readonly string[]): Promise<FoundCommand> {
  const [first = "", ...rest] = argv;
  let found = await loadFound(commands, "", first, rest);
  for (;;) {
    const [word = "-", ...more] = found.argv;
    const { below } = found.command;
    if (below === undefined || word.startsWith("-")) return found;
    found = await loadFound(below, found.name, word, more);
  }
}

async function loadFound(
  commands: Commands,
  above: string,
  word: string,
  argv: readonly string[],
): Promise<FoundCommand> {
  const entry = Object.hasOwn(commands, word)
    ? (commands[word] as CommandEntry)
    : refuse(commands, above, word);
  const name = above === "" ? word : `${above} ${word}`;
  return { name, summary: entry.summary, command: (await entry.load()).command, argv };
}

function refuse(commands: Commands, above: string, word: string): never {
  const call = above === "" ? "sortie" : `sortie ${above}`;
  if (word.startsWith("-")) {
    const problem = `The command comes first: ${word} stands where it should.`;
    throw new SortieError("usage", { problem, command: call });
  }
  const nearest = findLikely(word, Object.keys(commands));
  const name = above === "" ? word : `${above} ${word}`;
  const problem = `There is no command ${name}${nearest ? `; did you mean ${nearest}?` : "."}`;
  throw new SortieError("usage", { problem, command: nearest ? `${call} ${nearest}` : call });
}
