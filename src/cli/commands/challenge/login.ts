import { logInAndKeep } from "../../../supervise/contest/log-in.ts";
import { type ContestOptions, defineContest } from "../../define-contest.ts";
import { type LoginFlags, readLogin } from "../../read-login.ts";
import { reportLogin } from "../../report-login.ts";

export const command = defineContest<ContestOptions & LoginFlags & { get?: boolean }>({
  describe: (c) =>
    c
      .option("--email <email>", "whose login (or CHALLENGE_EMAIL)")
      .option("--password-stdin", "read the password from stdin (or CHALLENGE_PASSWORD)")
      .option("--get", "by GET, as the first servers have it: the password stands in their logs")
      .addHelpText("after", "\nOn a terminal the password is asked for. It is never an argument."),
  run: async ({ io, contest, options }) => {
    const { email, password } = await readLogin(io, options);
    const method = options.get ? "get" : "post";
    return reportLogin(io, await logInAndKeep(contest, { email, password, method }));
  },
});
