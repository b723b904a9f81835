import type { ProgressNotice } from "../../notify/notice.ts";
import type { JobReport } from "../contest/load-report.ts";
import { loadScores, type Scores } from "../contest/load-scores.ts";
import type { Contest } from "../contest/open-contest.ts";
import { ensureWatcher } from "../watcher.ts";
import { openNews } from "./open-news.ts";

/** Tells the end of a challenge's job with its score, where notices are set. It never throws. */
export async function tellJobEnd(contest: Contest, report: JobReport): Promise<void> {
  const { desk } = contest;
  const news = await openNews(desk);
  if (news === null) return;
  const scores = await loadScores(contest, report).catch(() => null); // the end is news without them too
  // Who sends it may have nothing else to do.
  if (news.add(makeNotice(report, scores, desk.clock.now()))) ensureWatcher(desk);
}

function makeNotice(
  { id, uuid, name, state, said }: JobReport,
  scores: Scores | null,
  now: Date,
): ProgressNotice {
  const score = scores?.total ?? scores?.mean ?? null;
  return {
    ...{ kind: "job", phase: "ended", subject: `job ${uuid ?? id}`, at: now.toISOString() },
    ...{ isBad: state !== "done", title: `Job ${id} is over: ${name ?? state}` },
    lines: [
      said,
      ...(score === null ? ["no score yet: sortie challenge result"] : [`score ${score}`]),
      ...(scores?.tasks ?? []).slice(0, 10).map(({ name: task, mean }) => `${task}: ${mean ?? "not known"}`),
    ],
  };
}
