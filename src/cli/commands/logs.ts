import { InvalidArgumentError } from "commander";
import { formatBytes } from "../../base/bytes.ts";
import { parseDuration } from "../../base/duration.ts";
import { SortieError } from "../../base/error.ts";
import { isEnded, loadRunNow } from "../../supervise/find-runs.ts";
import { followRun } from "../../supervise/follow-run.ts";
import { LogFolder, type LogWish, readPastLog } from "../../supervise/read-log.ts";
import { defineCommand } from "../define-command.ts";
import type { Io } from "../io.ts";
import { type LogPrinter, makeLogPrinter } from "../log-printer.ts";
import { describeWait, warnOfCopy } from "../warn-silence.ts";
import { withDesk } from "../with-desk.ts";

interface LogOptions {
  follow?: boolean;
  lines?: number;
  since?: string;
  raw?: boolean;
}

const DEFAULT_LINES = 50;

export const command = defineCommand<LogOptions>({
  isStream: true,
  describe: (c) =>
    c
      .argument("<run>", "id, name, or the unique start of either")
      .option("-f, --follow", "go on until the run ends (exit code as of `wait`)")
      .option(
        "-n, --lines <n>",
        `so many of the last lines (default ${DEFAULT_LINES}, with --since all; 0: none)`,
        parseCount,
      )
      .option(
        "--since <time>",
        "nothing before that long ago (10m, 2h) or that time (2026-01-31T12:00Z), to 10 seconds",
      )
      .option("--json", "print one JSON line for each line of the log")
      .option("--raw", "the bytes as they are, progress bars unfolded"),
  run: ({ io, options, args }) =>
    withDesk(io, async (desk) => {
      if (options.raw && io.json) throw refuseRawJson();
      const run = await loadRunNow(desk, args[0] as string);
      const printer = choosePrinter(io, options);
      const wish = readLogWish(options, desk.clock.now());
      const offset = await readPastLog(desk, run, wish, {
        onBytes: printer.push,
        onLeftOut: (bytes) => markLeftOut(io, options, printer, bytes),
        onSilence: (silence) => warnOfCopy(io, { ...run, silence }, desk.clock.now()),
      });
      if (!options.follow) {
        printer.finish();
        return 0;
      }
      const followed = await followRun(desk, run.id, {
        onBytes: printer.push,
        offset,
        signal: io.readerGone,
        onSilence: (silent) => io.warn(describeWait(silent)),
      });
      printer.finish();
      return isEnded(followed.run.state) && followed.run.state !== "succeeded" ? 1 : 0;
    }),
});

/** Both bounds hold where both are given. */
function readLogWish({ lines, since }: LogOptions, now: Date): LogWish {
  if (since === undefined) return { lines: lines ?? DEFAULT_LINES, since: null };
  return { lines: lines ?? null, since: parseSince(since, now) };
}

function refuseRawJson(): SortieError {
  const problem = "--raw and --json do not go together: bytes as they are cannot stand in JSON.";
  return new SortieError("usage", { problem, command: "sortie logs" });
}

/** In the line whose beginning is missing; raw bytes stay as they are. */
function markLeftOut(io: Io, options: LogOptions, printer: Pick<LogPrinter, "push">, bytes: number): void {
  const mark = `[… ${formatBytes(bytes)} left out …]`;
  if (options.raw) io.warn(mark);
  else printer.push(Buffer.from(`${mark} `));
}

function choosePrinter(io: Io, options: LogOptions): Pick<LogPrinter, "push" | "finish"> {
  if (io.json) return makeJsonPrinter(io);
  if (options.raw) return { push: (bytes) => io.write(bytes), finish: () => undefined };
  return makeLogPrinter(io);
}

/** A JSON line for each line of the log, folded. */
function makeJsonPrinter(io: Io): Pick<LogPrinter, "push" | "finish"> {
  const folder = new LogFolder();
  const print = (line: string) => io.write(`${JSON.stringify({ schema: 1, line })}\n`);
  return {
    push: (bytes) => folder.push(bytes).forEach(print),
    finish: () => (folder.rest === "" ? undefined : print(folder.rest)),
  };
}

function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It is not a number of lines.");
  return Number(text);
}

function parseSince(text: string, now: Date): Date {
  const time = Date.parse(text);
  if (/^\d{4}-/.test(text) && !Number.isNaN(time)) return new Date(time);
  try {
    return new Date(now.getTime() - parseDuration(text, "--since") * 1000);
  } catch (fault) {
    const advice = "Write a duration (10m, 2h) or a time such as 2026-01-31T12:00Z.";
    throw new SortieError(
      "value_bad",
      { what: "--since", value: text, reason: "it is neither a duration nor a time", advice },
      fault,
    );
  }
}
