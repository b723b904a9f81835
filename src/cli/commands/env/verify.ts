import { parseDuration } from "../../../base/duration.ts";
import { SortieError } from "../../../base/error.ts";
import { splitShellWords } from "../../../config/shell-words.ts";
import { chooseVerifyGpus } from "../../../supervise/environment/choose-verify-gpus.ts";
import { planReady } from "../../../supervise/environment/plan-ready.ts";
import { planAndReady } from "../../confirm-ready.ts";
import { defineCommand } from "../../define-command.ts";
import { lookAtTarget } from "../../look-at-target.ts";
import { sayRows } from "../../say-lines.ts";
import { formatReady } from "../../views/format-environment.ts";
import { warnNote } from "../../warn-note.ts";
import { withDesk } from "../../with-desk.ts";
import { describeEnvironment, type TargetOptions } from "./build.ts";

interface VerifyOptions extends TargetOptions {
  tier?: string[];
  gpu?: string[];
  gpus?: string;
  again?: boolean;
  agent?: string;
  timeout?: string;
  yes?: boolean;
}

const append = (value: string, earlier: string[] = []) => [...earlier, value];

export const command = defineCommand<VerifyOptions>({
  describe: (c) =>
    describeEnvironment(c)
      .option("--tier <n>", "only this one: 1 import, 2 witness, 3 document; may be repeated", append)
      .option(
        "--gpu <which>",
        "on this GPU, by index or UUID; may be repeated (default: all that are free)",
        append,
      )
      .option("--gpus <none>", "none: on a CPU alone")
      .option("--again", "also what has passed")
      .option(
        "--agent <command>",
        "let a fresh assistant follow the document, too: its command, read from stdin",
      )
      .option("--timeout <time>", "what a documented command may take (default 30m)")
      .option("--yes", "do it without a question"),
  run: ({ io, options, args }) =>
    withDesk(io, async (desk) => {
      const wantsGpus = options.gpus !== "none";
      const sight = await lookAtTarget(io, desk, {
        target: options.target,
        wanted: args[0],
        asksGpus: wantsGpus,
      });
      if (typeof sight === "number") return sight;
      const { candidates, note } = chooseVerifyGpus(desk, sight, options.gpu ?? []);
      if (note !== null) warnNote(io, note);
      const { timeout } = options;
      const plan = await planReady(desk, sight, {
        ...{
          action: "env verify",
          candidates,
          tiers: readTiers(options.tier),
          again: options.again ?? false,
        },
        agent: readAgent(options.agent),
        documentTimeoutMs: timeout === undefined ? null : parseDuration(timeout, "--timeout") * 1000,
      });
      if (plan !== null) return planAndReady(io, desk, plan, options);
      const { document, lines } = formatReady(sight);
      if (io.json) io.printDocument(document);
      else sayRows(io, lines);
      return 0;
    }),
});

function readTiers(texts: readonly string[] | undefined): (1 | 2 | 3)[] {
  if (texts === undefined) return [1, 2, 3];
  return texts.map((text) => {
    if (text === "1" || text === "2" || text === "3") return Number(text) as 1 | 2 | 3;
    const reason = "there are the tiers 1 (import), 2 (witness) and 3 (document)";
    throw new SortieError("value_bad", { what: "--tier", value: text, reason, advice: "Give one of them." });
  });
}

function readAgent(text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const words = splitShellWords(text);
  if (words !== null && words.length > 0) return words;
  const reason = words === null ? "a quote in it stays open" : "it is empty";
  const advice = "Give the assistant's command as you type it.";
  throw new SortieError("value_bad", { what: "--agent", value: text, reason, advice });
}
