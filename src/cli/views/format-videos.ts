import { formatDuration } from "../../base/duration.ts";
import type { VideoLinks } from "../../supervise/contest/load-video-links.ts";
import { makeLine } from "./format-facts.ts";
import { formatScore } from "./format-scores.ts";

/** A case a line, and its link below, whole, so that it can be copied. */
export function formatVideos({ job, state, expiresInS, episodes }: VideoLinks): string[] {
  const life =
    state === "ready" && expiresInS !== null ? `, links good for ${formatDuration(expiresInS)}` : "";
  return [
    `Job ${job}: ${saidOf[state]}${life}`,
    ...episodes.flatMap(({ taskName, caseId, score, headUrl }) => [
      makeLine(`${taskName ?? "-"}, case ${caseId ?? "-"}, score ${formatScore(score)}`),
      `  ${headUrl === null ? "no video" : makeLine(headUrl)}`,
    ]),
  ];
}

const saidOf: Readonly<Record<VideoLinks["state"], string>> = {
  ready: "the videos are there",
  past: "the videos are gone, 72 h after the end of the job",
  unfinished: "there are videos once the job has ended",
  unknown: "whether there are videos is not said",
};
