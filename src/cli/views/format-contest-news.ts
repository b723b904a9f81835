import { formatDuration } from "../../base/duration.ts";
import { wrapText } from "../../base/wrap.ts";
import type { JobReport } from "../../supervise/contest/load-report.ts";
import type { JobNews } from "../../supervise/contest/watch-job.ts";
import { nameState } from "./format-contest-jobs.ts";
import { makeLine } from "./format-facts.ts";

const INDENT = "          ";

/** `12:03:05  running: cases are being played, 12 of 80 cases done`, in the time of this machine. */
export function formatNews(news: JobNews, columns: number): string {
  const time = new Date(news.at).toTimeString().slice(0, 8);
  const text = makeLine(describeNews(news));
  return wrapText(text, Math.max(columns, 40), INDENT, `${time}  `).join("\n");
}

export function describeNews(news: JobNews): string {
  switch (news.kind) {
    case "away":
      return `The gateway is not reached, and is asked on: ${news.reason}`;
    case "back":
      return `The gateway answers again, after ${formatDuration(news.awayS)}.`;
    case "note":
      return news.text;
    case "job": {
      return news.report.said;
    }
  }
}

/** What to look at once a job is over. */
export function formatWatchEnd({ id, state }: JobReport): string[] {
  return [
    `Job ${id} is ${nameState(state)}.`,
    state === "done" ? `Next: sortie challenge result ${id}` : `Next: sortie challenge log ${id}`,
  ];
}
