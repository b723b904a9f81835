import { refreshAndKeep } from "../../../supervise/contest/log-in.ts";
import { defineContest } from "../../define-contest.ts";
import { reportLogin } from "../../report-login.ts";

export const command = defineContest({
  describe: (c) => c,
  run: async ({ io, contest }) => reportLogin(io, await refreshAndKeep(contest)),
});
