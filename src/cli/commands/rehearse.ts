import { Option } from "commander";
import { parseDuration } from "../../base/duration.ts";
import { makeErrorDocument, SortieError } from "../../base/error.ts";
import { makeRehearsalDocument } from "../../supervise/rehearse/make-document.ts";
import { boards } from "../../supervise/rehearse/make-studio.ts";
import { rehearse } from "../../supervise/rehearse/rehearse.ts";
import type { RehearseOptions } from "../../supervise/rehearse/rehearse-options.ts";
import { defineCommand } from "../define-command.ts";
import type { Io } from "../io.ts";
import { listenForEnd } from "../listen-for-end.ts";
import { resolvePath } from "../resolve-path.ts";
import { formatRehearsal } from "../views/format-rehearsal.ts";

interface RehearseFlags {
  readonly handler?: string;
  readonly agent?: string;
  readonly agents: string;
  readonly board: string;
  readonly payload: RehearseOptions["payload"];
  readonly budgetMs: string;
  readonly python?: string;
  readonly gpu?: string;
  readonly loadTimeout: string;
  readonly replyTimeout: string;
  readonly keep?: string;
}

const MOST_AGENTS = 64;

export const command = defineCommand<RehearseFlags>({
  describe: (c) =>
    c
      .option("--handler <spec>", "[DIR/]MODULE:FUNCTION or FILE.py:FUNCTION, FILE.js[:EXPORT]")
      .option(
        "--agent <command>",
        "rehearse this agent instead of Sortie's own; it is called with GPU, job and gateway URL behind it, and finds the token as JOB_TOKEN",
      )
      .option("--agents <k>", "how many agents at once", "1")
      .addOption(
        new Option("--board <name>", "whose steps an answer has").choices(boards).default("instruction"),
      )
      .addOption(
        new Option(
          "--payload <kind>",
          "what observations and answers are; answers of opaque ones are not looked into",
        )
          .choices(["g2", "openpi", "opaque"])
          .default("g2"),
      )
      .option("--budget-ms <ms>", "how long an answer should take at most", "1000")
      .option("--python <program>", "the interpreter of a Python handler")
      .option(
        "--gpu <list>",
        "a GPU or cpu for each agent, with commas between (default: free GPUs, then cpu; with --agent: cpu)",
      )
      .option("--load-timeout <duration>", "how long loading may take", "5m")
      .option("--reply-timeout <duration>", "how long one answer may take before it counts as none", "60s")
      .option("--keep <folder>", "leave the agents' logs and events there")
      .addHelpText(
        "after",
        "\nA whole job on this machine: a gateway on a free loopback port, observations of real size, cuts of the link,\n" +
          "and the drain. Exit code 0 if no hard check fails, else 1.\n\n" +
          "Example: sortie rehearse --handler my_policy:handle --agents 2",
      ),
  run: async ({ io, options }) => {
    const wanted = readOptions(io, options);
    const ending = listenForEnd(io);
    const print = makePrinter(io);
    // At once: a second signal, or an end that takes too long, ends the process without another word.
    ending.signal.addEventListener("abort", () => print(makeInterruption()), { once: true });
    try {
      const rehearsal = await rehearse({ ...wanted, signal: ending.signal });
      const document = makeRehearsalDocument(rehearsal);
      print(document);
      if (!io.json) for (const line of formatRehearsal(document, io.columns)) io.say(line);
      if (options.keep !== undefined) io.say(`Logs and events are in ${resolvePath(io, options.keep)}.`);
      return rehearsal.passed ? 0 : 1;
    } catch (fault) {
      const interrupted = ending.exitCode();
      if (interrupted === null) throw fault;
      io.warn("The rehearsal was broken off; its agents have ended.");
      return interrupted;
    }
  },
});

/** Prints one document with `--json`, and none after it: whatever comes first is the answer. */
function makePrinter(io: Io): (document: object) => void {
  let isDone = !io.json;
  return (document) => {
    if (!isDone) io.printDocument(document);
    isDone = true;
  };
}

function makeInterruption(): object {
  return { error: makeErrorDocument(new SortieError("interrupted")) };
}

/** @throws rehearsal_empty, usage, value_bad */
function readOptions(io: Io, flags: RehearseFlags): RehearseOptions {
  const { handler, agent, board, payload, python, gpu, keep } = flags;
  checkSubject(handler, agent);
  const say = (text: string, atMs: number) => io.say(`${(atMs / 1000).toFixed(1).padStart(6)} s  ${text}`);
  return {
    ...{ handler, board, payload, python, agentCommand: agent },
    agents: readCount("--agents", flags.agents, MOST_AGENTS),
    budgetMs: readCount("--budget-ms", flags.budgetMs, 3_600_000),
    gpus: gpu?.split(",").map((which) => which.trim()),
    keepFolder: keep === undefined ? undefined : resolvePath(io, keep),
    limits: {
      loadMs: readMs("--load-timeout", flags.loadTimeout),
      replyMs: readMs("--reply-timeout", flags.replyTimeout),
    },
    ...{ cwd: io.cwd, env: io.env, self: io.self, onProgress: say },
  };
}

/** What is rehearsed: a handler, or an agent of another's making. An empty one is most often a variable that is not set. */
function checkSubject(handler: string | undefined, agent: string | undefined): void {
  if (handler === undefined && agent === undefined) throw new SortieError("rehearsal_empty");
  for (const [what, value] of Object.entries({ "--handler": handler, "--agent": agent }))
    if (value?.trim() === "")
      throw new SortieError("value_bad", {
        ...{ what, value: "empty", reason: "nothing is named" },
        advice: "Look whether the variable behind it is set.",
      });
  if (handler === undefined || agent === undefined) return;
  const problem = "Either --handler or --agent is rehearsed, not both at once.";
  throw new SortieError("usage", { problem, command: "sortie rehearse" });
}

function readCount(what: string, text: string, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= most) return value;
  throw new SortieError("value_bad", {
    ...{ what, value: text, reason: "it is no whole number in its range" },
    advice: `Write a number from 1 to ${most}.`,
  });
}

function readMs(what: string, text: string): number {
  const seconds = parseDuration(text, what);
  if (seconds > 0) return seconds * 1000;
  throw new SortieError("value_bad", {
    ...{ what, value: text, reason: "nothing is done in no time", advice: "Give it longer." },
  });
}
