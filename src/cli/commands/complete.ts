import { Command } from "commander";
import { loadConfigFor } from "../../supervise/choose-target.ts";
import { listRunNames } from "../../supervise/find-runs.ts";
import { COMMANDS } from "../command-table.ts";
import { defineCommand } from "../define-command.ts";
import type { Io } from "../io.ts";
import { withDesk } from "../with-desk.ts";

/** Prints what the last of the words may become, a candidate a line. */
export const command = defineCommand({
  describe: (c) => c.argument("[word...]"),
  run: async ({ io, args }) => {
    const word = args.at(-1) ?? "";
    const candidates = args.includes("--") ? [] : await listCandidates(io, args.slice(0, -1), word);
    for (const candidate of candidates) if (candidate.startsWith(word)) io.say(candidate);
    return 0;
  },
});

async function listCandidates(io: Io, before: readonly string[], word: string): Promise<string[]> {
  const [name] = before;
  if (name === undefined) return Object.keys(COMMANDS).filter((known) => !COMMANDS[known]?.hidden);
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!entry) return [];
  const described = (await entry.load()).command.describe(new Command(name));
  if (before.at(-1) === "--target") return listTargets(io);
  if (word.startsWith("-"))
    return [...described.options.flatMap((option) => option.long ?? []), "--json", "--help"];
  if (described.registeredArguments[0]?.name() === "run") return listNames(io);
  return [];
}

async function listTargets(io: Io): Promise<string[]> {
  const config = await loadConfigFor(io, io.cwd);
  return [...new Set([...config.targets.map((target) => target.name), "local"])];
}

async function listNames(io: Io): Promise<string[]> {
  const names: string[] = [];
  await withDesk(io, async (desk) => {
    names.push(...listRunNames(desk));
    return 0;
  });
  return names;
}
