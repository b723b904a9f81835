import { parseDuration } from "../../base/duration.ts";
import { makeErrorDocument, SortieError } from "../../base/error.ts";
import { listRecordings } from "../../supervise/replay/list-recordings.ts";
import { makeReplayDocument, makeSurveyDocument } from "../../supervise/replay/make-document.ts";
import { readEach } from "../../supervise/replay/read-each.ts";
import { replayRecordings } from "../../supervise/replay/replay.ts";
import { surveyRecording } from "../../supervise/replay/survey-recording.ts";
import { defineCommand } from "../define-command.ts";
import type { Io } from "../io.ts";
import { listenForEnd } from "../listen-for-end.ts";
import { formatReplay, formatSurvey } from "../views/format-replay.ts";

interface ReplayFlags {
  readonly handler?: string;
  readonly python?: string;
  readonly gpu?: string;
  readonly tolerance: string;
  readonly timeout: string;
  readonly loadTimeout: string;
}

const BAD_FILE = 2;
const FORCE_MS = 100;

export const command = defineCommand<ReplayFlags>({
  describe: (c) =>
    c
      .argument("<file...>", "recordings, or folders that hold some")
      .option(
        "--handler <spec>",
        "[DIR/]MODULE:FUNCTION or FILE.py:FUNCTION, FILE.js[:EXPORT]; without it, what the recordings hold is shown",
      )
      .option("--python <program>", "the interpreter of a Python handler")
      .option("--gpu <gpu>", "index or UUID of a GPU of this machine, or cpu (default: one that is free)")
      .option("--tolerance <distance>", "how far apart two numbers of equal actions may be", "0")
      .option("--timeout <duration>", "how long one answer may take", "60s")
      .option("--load-timeout <duration>", "how long the handler may take to load", "30m")
      .addHelpText(
        "after",
        "\nGives the handler the observations of recorded sessions, as an agent would, and compares its actions with the\n" +
          "recorded ones. Exit code 0: all are equal; 1: some differ, or the handler fails; 2: a file is no recording.\n\n" +
          "Example: sortie replay recordings --handler my_policy:handle",
      ),
  run: async ({ io, options, args }) => {
    const files = listRecordings(args, io.cwd);
    return options.handler === undefined ? showSurvey(io, files) : runReplay(io, files, options);
  },
});

async function showSurvey(io: Io, files: readonly string[]): Promise<number> {
  const document = makeSurveyDocument(await readEach(files, surveyRecording));
  if (io.json) io.printDocument(document);
  else for (const line of formatSurvey(document, io.columns)) io.say(line);
  return document.faults.length > 0 ? BAD_FILE : 0;
}

async function runReplay(io: Io, files: readonly string[], flags: ReplayFlags): Promise<number> {
  const handler = checkHandler(flags.handler);
  const terms = {
    tolerance: readTolerance(flags.tolerance),
    timeoutMs: readMs("--timeout", flags.timeout),
    loadTimeoutMs: readMs("--load-timeout", flags.loadTimeout),
  };
  const ending = listenForEnd(io);
  try {
    const { python, gpu } = flags;
    const played = await replayRecordings({
      ...{ files, handler, python, gpu, ...terms, env: io.env, cwd: io.cwd, signal: ending.signal },
      onLog: (line) => io.warn(line),
    });
    const document = makeReplayDocument({ handler, ...terms }, played);
    if (io.json) io.printDocument(document);
    else for (const line of formatReplay(document, io.columns)) io.say(line);
    if (document.sessions.at(-1)?.isLast) exitWhenSaid();
    if (document.faults.length > 0) return BAD_FILE;
    return document.passed ? 0 : 1;
  } catch (fault) {
    const interrupted = ending.exitCode();
    if (interrupted === null) throw fault;
    if (io.json) io.printDocument({ error: makeErrorDocument(new SortieError("interrupted")) });
    io.warn("The replay was broken off; the handler has ended.");
    return interrupted;
  }
}

/** A thread of the handler that is stuck in the system would keep the process alive; what was printed goes out first. */
function exitWhenSaid(): void {
  process.stdout.write("", () => void setTimeout(() => process.exit(), FORCE_MS).unref());
}

/** An empty one is most often a variable that is not set. */
function checkHandler(handler = ""): string {
  if (handler.trim() !== "") return handler;
  throw new SortieError("value_bad", {
    ...{ what: "--handler", value: "empty", reason: "nothing is named" },
    advice: "Look whether the variable behind it is set.",
  });
}

function readTolerance(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new SortieError("value_bad", {
    ...{ what: "--tolerance", value: text, reason: "it is no distance" },
    advice: "Write a number from 0 on, as 1e-6.",
  });
}

function readMs(what: string, text: string): number {
  const seconds = parseDuration(text, what);
  if (seconds > 0) return seconds * 1000;
  throw new SortieError("value_bad", {
    ...{ what, value: text, reason: "nothing is done in no time", advice: "Give it longer." },
  });
}
