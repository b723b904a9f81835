import { findContestJob } from "../../../supervise/contest/find-contest-job.ts";
import { loadVideoLinks } from "../../../supervise/contest/load-video-links.ts";
import { defineContest, describeJob } from "../../define-contest.ts";
import { formatVideos } from "../../views/format-videos.ts";

export const command = defineContest({
  describe: describeJob,
  run: async ({ io, contest, args: [wanted] }) => {
    const videos = await loadVideoLinks(contest, await findContestJob(contest, wanted));
    if (io.json) io.printDocument({ videos });
    else for (const line of formatVideos(videos)) io.say(line);
    return 0;
  },
});
