import { type JobVideos, loadVideos } from "../../challenge/api/videos.ts";
import type { ContestJob } from "./find-contest-job.ts";
import type { Contest } from "./open-contest.ts";

export interface VideoLinks extends JobVideos {
  readonly job: number;
}

/** @throws challenge_not_offered */
export async function loadVideoLinks({ session }: Contest, { id }: ContestJob): Promise<VideoLinks> {
  return { job: id, ...(await loadVideos(session, id)) };
}
