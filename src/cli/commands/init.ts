import { SortieError } from "../../base/error.ts";
import { quoteCommand } from "../../base/quote.ts";
import { findKind } from "../../config/gpu-kind.ts";
import type { TargetKind } from "../../config/keys/define.ts";
import { findKey, findNearestKey, type KeyName } from "../../config/keys/table.ts";
import type { SectionAnswers } from "../../config/make-section.ts";
import { draftSection, writeSection } from "../../supervise/write-section.ts";
import { askForOne, askYesNo } from "../ask.ts";
import { defineCommand } from "../define-command.ts";
import type { Io } from "../io.ts";

interface InitOptions {
  kind?: string;
  heading?: string;
  set?: string[];
  yes?: boolean;
}

const HEADINGS: Readonly<Record<TargetKind, string>> = {
  local: "Local Environment",
  ssh: "Remote Server",
  slurm: "Slurm",
  vast: "Vast.ai",
  modal: "Modal",
};

export const command = defineCommand<InitOptions>({
  describe: (c) =>
    c
      .option("--kind <kind>", "local, remote, slurm, vast or modal")
      .option("--heading <text>", "the section's heading; its name is made from it")
      .option(
        "--set <key=value>",
        "a key of the section; may be repeated",
        (pair: string, earlier: string[] = []) => [...earlier, pair],
      )
      .option("--yes", "write it without a question")
      .addHelpText(
        "after",
        "\nExamples:\n  sortie init --kind local --set 'Conda env=research' --set results=out/\n" +
          "  sortie init --kind remote --set SSH=my-gpu-server --set 'Code dir=~/experiments/'",
      ),
  run: async ({ io, options }) => {
    const answers = await gatherAnswers(io, options);
    const draft = draftSection(io.cwd, answers);
    io.say(`${draft.isNew ? "A new file" : "At the end of"} ${draft.file}:\n`);
    for (const line of draft.section.trimEnd().split("\n")) io.say(`  ${line}`);
    for (const line of listWanted(answers)) io.warn(line);
    if (!options.yes && !(await askYesNo(io, "Write it?", true))) {
      if (io.json)
        io.printDocument({ file: draft.file, section: draft.section, confirm: makeConfirmation(answers) });
      if (io.isTerminal) io.say("Not written.");
      else io.warn("Nothing was written. Add --yes to write it.");
      return new SortieError("confirmation_needed").exit;
    }
    writeSection(draft);
    if (io.json) io.printDocument({ file: draft.file, section: draft.section });
    else io.say("\nWritten. `sortie targets` shows how it reads.");
    return 0;
  },
});

async function gatherAnswers(io: Io, options: InitOptions): Promise<SectionAnswers> {
  const kind = options.kind === undefined ? await askKind(io) : readKind(options.kind);
  const values = Object.fromEntries((options.set ?? []).map(readPair));
  return { heading: options.heading ?? HEADINGS[kind], kind, values };
}

/** Without these no run can start there; they may be written into the file as well. */
function listWanted({ kind, values }: SectionAnswers): string[] {
  if (kind !== "ssh") return [];
  const has = (...names: readonly KeyName[]) => names.some((name) => values[name] !== undefined);
  const wanted = [
    ...(has("ssh", "ssh_host")
      ? []
      : ["- SSH: `my-gpu-server` (an alias of your ~/.ssh/config, or user@host)"]),
    ...(has("code_dir") ? [] : ["- Code dir: `~/experiments/my-project/` (where the code goes there)"]),
  ];
  return wanted.length === 0
    ? []
    : ["It needs, too, as --set or in the file:", ...wanted.map((line) => `  ${line}`)];
}

/** The command that writes just this section. */
function makeConfirmation({ kind, heading, values }: SectionAnswers): string {
  const pairs = Object.entries(values).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
  return quoteCommand(["sortie", "init", "--kind", kind, "--heading", heading, ...pairs, "--yes"]);
}

function readKind(text: string): TargetKind {
  const kind = findKind(text);
  if (kind) return kind;
  const advice = "Choose local, remote, slurm, vast or modal.";
  throw new SortieError("value_bad", {
    what: "--kind",
    value: text,
    reason: "there is no such kind of target",
    advice,
  });
}

function readPair(pair: string): [string, string] {
  const at = pair.indexOf("=");
  const written = at === -1 ? pair : pair.slice(0, at);
  const key = findKey(written);
  if (key && at !== -1) return [key, pair.slice(at + 1)];
  const nearest = findNearestKey(written, () => true);
  const advice = `Write --set key=value.${nearest ? ` Did you mean ${nearest}?` : ""}`;
  throw new SortieError("value_bad", {
    what: "--set",
    value: pair,
    reason: key ? "it has no value" : "there is no such key",
    advice,
  });
}

async function askKind(io: Io): Promise<TargetKind> {
  if (!io.isTerminal)
    throw new SortieError("usage", { problem: "Which kind of target?", command: "sortie init" });
  const answer = await askForOne<TargetKind>("Where does the work run?", [
    ["local", "on this machine"],
    ["ssh", "on a server over SSH"],
    ["slurm", "on a Slurm cluster"],
    ["vast", "on a rented Vast.ai instance"],
    ["modal", "on Modal"],
  ]);
  if (answer === null) throw new SortieError("interrupted");
  return answer;
}
