import { type Static, Type } from "@sinclair/typebox";
import type { RankedJob } from "./board-ranks.ts";
import { orNull } from "./or-null.ts";

/** A row of a leaderboard. */
export const BestJobShape = Type.Object({
  rank: Type.Integer({ description: "From 1; equal scores share one." }),
  user_uid: Type.String(),
  user_name: Type.String(),
  model_name: Type.String(),
  paper_link: orNull(Type.String()),
  score: Type.Number(),
  created_at: Type.String(),
});

/** Nothing of a job by which anyone could reach it. */
export function describeBestJob(job: RankedJob): Static<typeof BestJobShape> {
  return {
    ...{ rank: job.rank, user_uid: job.userUid, user_name: job.userName, model_name: job.modelName },
    ...{ paper_link: job.paperLink, score: job.score, created_at: job.createdAt },
  };
}
