import { makePrintable } from "../base/printable.ts";
import type { Desk } from "../supervise/desk.ts";
import { isEnded, loadRunNow, type RunRecord } from "../supervise/find-runs.ts";
import { followRun } from "../supervise/follow-run.ts";
import { LogFolder, type LogReader, readPastLog } from "../supervise/read-log.ts";
import type { Io } from "./io.ts";
import { makeShowable } from "./log-printer.ts";
import { describeWait, warnOfCopy } from "./warn-silence.ts";

/** An agent's number in its fleet, and the id of its run. */
export interface LoggedAgent {
  readonly number: number;
  readonly run: string;
}

/**
 * The last `lines` of each agent's log, each line behind the agent's number; with `follow` all of them go on at once until
 * every run has ended. Answers with 1 where one that was followed did not succeed.
 */
export async function printAgentLogs(
  io: Io,
  desk: Desk,
  agents: readonly LoggedAgent[],
  { lines, follow }: { readonly lines: number; readonly follow: boolean },
): Promise<number> {
  const pasts: Past[] = [];
  for (const agent of agents) pasts.push(await printPast(io, desk, agent, lines));
  if (!follow) {
    for (const { printer } of pasts) printer.finish();
    return 0;
  }
  const runs = await Promise.all(
    pasts.map(async ({ run, printer, offset }) => {
      const onSilence = (silent: RunRecord) => io.warn(describeWait(silent));
      const options = { onBytes: printer.push, onSilence, offset, signal: io.readerGone };
      const followed = await followRun(desk, run.id, options);
      printer.finish();
      return followed.run;
    }),
  );
  return runs.some(({ state }) => isEnded(state) && state !== "succeeded") ? 1 : 0;
}

interface Past {
  readonly run: RunRecord;
  readonly printer: Printer;
  /** Where its log goes on. */
  readonly offset: number;
}

interface Printer {
  push(bytes: Uint8Array): void;
  finish(): void;
}

async function printPast(io: Io, desk: Desk, agent: LoggedAgent, lines: number): Promise<Past> {
  const run = await loadRunNow(desk, agent.run);
  const printer = makePrinter(io, agent.number);
  if (run.startedAt === null) {
    const why = run.waitingFor === null ? "" : `, it waits for ${run.waitingFor}`;
    io.warn(makePrintable(`${run.name} has no log: it was never started${why}`));
    return { run, printer, offset: 0 };
  }
  const reader: LogReader = {
    onBytes: printer.push,
    onLeftOut: () => undefined,
    onSilence: (silence) => warnOfCopy(io, { ...run, silence }, desk.clock.now()),
  };
  const offset = await readPastLog(desk, run, { lines, since: null }, reader);
  return { run, printer, offset };
}

/** Whole lines, so that those of several agents do not mix. */
function makePrinter(io: Io, number: number): Printer {
  const folder = new LogFolder();
  const print = (line: string) =>
    io.write(
      io.json
        ? `${JSON.stringify({ schema: 1, agent: number, line })}\n`
        : `${number} | ${makeShowable(line)}\n`,
    );
  return {
    push(bytes) {
      for (const line of folder.push(bytes)) print(line);
    },
    finish() {
      if (folder.rest !== "") print(folder.rest);
    },
  };
}
