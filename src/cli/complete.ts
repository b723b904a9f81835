import { Command } from "commander";
import { loadConfigFor } from "../supervise/choose-target.ts";
import { listRunNames } from "../supervise/find-runs.ts";
import type { CommandEntry } from "./define-command.ts";
import { findCommand } from "./find-command.ts";
import type { Io } from "./io.ts";
import { withDesk } from "./with-desk.ts";

/** What the last of the words may become. */
export async function complete(io: Io, commands: Commands, words: readonly string[]): Promise<string[]> {
  const word = words.at(-1) ?? "";
  const candidates = words.slice(0, -1).includes("--")
    ? []
    : await listCandidates(io, commands, words.slice(0, -1), word);
  return candidates.filter((candidate) => candidate.startsWith(word));
}

type Commands = Readonly<Record<string, CommandEntry>>;

async function listCandidates(
  io: Io,
  commands: Commands,
  before: readonly string[],
  word: string,
): Promise<string[]> {
  if (before.length === 0) return Object.keys(commands);
  const found = await findCommand(commands, before).catch(() => null); // no such command: nothing to offer
  if (found === null) return [];
  const { command, argv } = found;
  const described = command.describe(new Command());
  if (before.at(-1) === "--target") return listTargets(io);
  if (word.startsWith("-"))
    return [...described.options.flatMap((option) => option.long ?? []), "--json", "--help"];
  if (command.below && argv.length === 0) return Object.keys(command.below);
  if (described.registeredArguments[0]?.name() === "run") return listNames(io);
  return [];
}

async function listTargets(io: Io): Promise<string[]> {
  const config = await loadConfigFor(io, io.cwd);
  const aliases = config.targets.flatMap(({ kind, ssh }) => (kind === "ssh" && ssh ? ssh.destination : []));
  return [...new Set([...config.targets.map((target) => target.name), ...aliases, "local"])];
}

async function listNames(io: Io): Promise<string[]> {
  const names: string[] = [];
  await withDesk(io, async (desk) => {
    names.push(...listRunNames(desk));
    return 0;
  });
  return names;
}
