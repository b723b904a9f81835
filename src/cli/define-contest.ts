import type { Command } from "commander";
import { keepBaseUrl } from "../supervise/contest/keep-base-url.ts";
import { type Contest, openContest } from "../supervise/contest/open-contest.ts";
import { settleSubmissions } from "../supervise/contest/settle-submissions.ts";
import { type CommandModule, defineCommand } from "./define-command.ts";
import type { Io } from "./io.ts";
import { warnNote } from "./warn-note.ts";
import { withDesk } from "./with-desk.ts";

export interface ContestOptions {
  baseUrl?: string;
}

export interface ContestCall<Options> {
  readonly io: Io;
  readonly contest: Contest;
  readonly options: Options;
  readonly args: readonly string[];
}

/** A command of a contestant: it opens the challenge, and what is to be known of login and state file is said at its end. */
export function defineContest<Options extends ContestOptions>({
  describe,
  run,
  isStream,
}: {
  readonly describe: (command: Command) => Command;
  readonly run: (call: ContestCall<Options>) => Promise<number>;
  readonly isStream?: true;
}): CommandModule {
  return defineCommand<Options>({
    isStream,
    describe: (command) =>
      describe(command).option("--base-url <url>", "the challenge's address; kept in the state file"),
    run: ({ io, options, args }) =>
      withDesk(io, async (desk) => {
        const { baseUrl } = options;
        const onRetry = (text: string) => warnNote(io, text);
        const first = openContest(desk, { baseUrl, onRetry });
        const settled = await settleSubmissions(first);
        for (const note of settled) warnNote(io, note);
        // What was settled changed the state file.
        const contest = settled.length === 0 ? first : openContest(desk, { baseUrl, onRetry });
        const kept: string[] = [];
        try {
          const exitCode = await run({ io, contest, options, args });
          if (baseUrl !== undefined) kept.push(...keepBaseUrl(contest));
          return exitCode;
        } finally {
          const notes = [...first.session.notes, ...contest.session.notes, ...kept];
          for (const note of new Set(notes)) warnNote(io, note);
        }
      }),
  });
}

/** How every command that works on one job names it. */
export function describeJob(command: Command): Command {
  return command.argument("[job]", "number, UUID, or the unique start of a name; default: the current one");
}
