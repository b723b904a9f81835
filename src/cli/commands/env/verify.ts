import { InvalidArgumentError } from "commander";
import { parseDuration } from "../../../base/duration.ts";
import { splitShellWords } from "../../../config/shell-words.ts";
import { chooseVerifyGpus } from "../../../supervise/environment/choose-verify-gpus.ts";
import { planReady } from "../../../supervise/environment/plan-ready.ts";
import { readyOrPlanned } from "../../confirm-ready.ts";
import { defineEnvironment, type EnvironmentOptions } from "../../define-environment.ts";
import { warnNote } from "../../warn-note.ts";

type Tier = 1 | 2 | 3;

interface VerifyOptions extends EnvironmentOptions {
  tier?: Tier[];
  gpu?: string[];
  gpus?: "none";
  again?: boolean;
  agent?: string[];
  timeout?: string;
  yes?: boolean;
}

const ALL: readonly Tier[] = [1, 2, 3];

export const command = defineEnvironment<VerifyOptions>({
  describe: (c) =>
    c
      .option("--tier <n>", "only this one: 1 import, 2 witness, 3 document; may be repeated", addTier)
      .option(
        "--gpu <which>",
        "on this GPU, by index or UUID; may be repeated (default: all that are free)",
        (value: string, earlier: string[] = []) => [...earlier, value],
      )
      .option("--gpus <none>", "none: on a CPU alone", parseNone)
      .option("--again", "also what has passed")
      .option(
        "--agent <command>",
        "let a fresh assistant follow the document, too: its command, which reads its task from stdin",
        parseAgent,
      )
      .option("--timeout <time>", "what a documented command may take (default 30m)")
      .option("--yes", "do it without a question"),
  asksGpus: ({ gpus }) => gpus !== "none",
  run: async ({ io, desk, sight, options }) => {
    const { tier: tiers = ALL, again = false, agent = null, timeout } = options;
    const { candidates, note } = chooseVerifyGpus(desk, sight, options.gpu ?? []);
    if (note !== null) warnNote(io, note);
    const documentTimeoutMs = timeout === undefined ? null : parseDuration(timeout, "--timeout") * 1000;
    const request = { action: "env verify", candidates, tiers, again, agent, documentTimeoutMs } as const;
    return readyOrPlanned(io, desk, { plan: await planReady(desk, sight, request), sight }, options);
  },
});

function addTier(text: string, earlier: Tier[] = []): Tier[] {
  const tier = ALL.find((one) => String(one) === text);
  if (tier === undefined) throw new InvalidArgumentError("It must be 1, 2 or 3.");
  return [...earlier, tier];
}

function parseNone(text: string): "none" {
  if (text === "none") return "none";
  throw new InvalidArgumentError("It must be none; --gpu says on which.");
}

function parseAgent(text: string): string[] {
  const words = splitShellWords(text);
  if (words === null) throw new InvalidArgumentError("A quote in it stays open.");
  if (words.length === 0) throw new InvalidArgumentError("It is empty.");
  return words;
}
