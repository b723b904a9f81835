import { defineGroup } from "../define-command.ts";

export const command = defineGroup("challenge", {
  login: { summary: "log in to the challenge", load: () => import("./challenge/login.ts") },
  refresh: { summary: "renew the login", load: () => import("./challenge/refresh.ts") },
  whoami: { summary: "show whose login it is", load: () => import("./challenge/whoami.ts") },
  quota: { summary: "show how many submissions are left", load: () => import("./challenge/quota.ts") },
  boards: { summary: "list the boards and your best on each", load: () => import("./challenge/boards.ts") },
  submit: { summary: "plan, confirm and submit one job", load: () => import("./challenge/submit.ts") },
  go: {
    summary: "all in one: login, submit, launch, watch, scores",
    load: () => import("./challenge/go.ts"),
  },
  jobs: { summary: "list your jobs", load: () => import("./challenge/jobs.ts") },
  status: { summary: "show where a job is", load: () => import("./challenge/status.ts") },
  watch: { summary: "follow a job to its end", load: () => import("./challenge/watch.ts") },
  result: { summary: "show a job's scores", load: () => import("./challenge/result.ts") },
  log: { summary: "show why a case failed last", load: () => import("./challenge/log.ts") },
  videos: { summary: "list the videos of a job", load: () => import("./challenge/videos.ts") },
  rank: { summary: "show your rank", load: () => import("./challenge/rank.ts") },
  leaderboard: {
    summary: "show a board, or the best of all",
    load: () => import("./challenge/leaderboard.ts"),
  },
  reset: { summary: "forget the current job", load: () => import("./challenge/reset.ts") },
});
