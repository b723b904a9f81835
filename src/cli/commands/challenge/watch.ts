import { Option } from "commander";
import { parseDuration } from "../../../base/duration.ts";
import { findContestJob } from "../../../supervise/contest/find-contest-job.ts";
import { watchJob } from "../../../supervise/contest/watch-job.ts";
import { type ContestOptions, defineContest, describeJob } from "../../define-contest.ts";
import { listenForEnd } from "../../listen-for-end.ts";
import { formatNews, formatWatchEnd } from "../../views/format-contest-news.ts";

interface WatchFlags extends ContestOptions {
  timeout?: string;
  restMs?: string;
}

export const command = defineContest<WatchFlags>({
  isStream: true,
  describe: (c) =>
    describeJob(c)
      .option("--timeout <time>", "give up after this time (exit 124): 90s, 15m, 2h")
      .addOption(new Option("--rest-ms <ms>", "for tests: the rest between looks").hideHelp())
      .addHelpText("after", "\nPrints changes until the job is over; with --json a line each. Exit 0: done."),
  run: async ({ io, contest, options: { timeout, restMs }, args: [wanted] }) => {
    const timeoutMs = timeout === undefined ? undefined : parseDuration(timeout, "--timeout") * 1000;
    const job = await findContestJob(contest, wanted);
    const ending = listenForEnd(io);
    const signal = AbortSignal.any([ending.signal, io.readerGone]);
    const report = await watchJob(contest, job, {
      ...{ signal, timeoutMs },
      ...(restMs === undefined ? {} : { restMs: [Number(restMs), Number(restMs)] as const }),
      onNews: (news) => {
        if (io.json) io.write(`${JSON.stringify({ schema: 1, ...news })}\n`);
        else io.say(formatNews(news, io.columns));
      },
    });
    if (report === null) {
      io.warn(`The job goes on: sortie challenge watch ${job.id}`);
      return ending.exitCode() ?? 0;
    }
    if (!io.json) for (const line of formatWatchEnd(report)) io.say(line);
    return report.state === "done" ? 0 : 1;
  },
});
