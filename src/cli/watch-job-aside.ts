import { toSortieError } from "../base/error.ts";
import type { ContestJob } from "../supervise/contest/find-contest-job.ts";
import type { JobReport } from "../supervise/contest/load-report.ts";
import type { Contest } from "../supervise/contest/open-contest.ts";
import { type JobNews, watchJob } from "../supervise/contest/watch-job.ts";
import { describeNews } from "./views/format-contest-news.ts";

export interface JobAside {
  /** How the job is, in a line; null: it was not asked yet. */
  headline(): string | null;
  /** The job's last report, once it is over, the signal aborts or the time is up; null: it goes on, or could not be asked. */
  settle(waitMs: number, signal: AbortSignal): Promise<JobReport | null>;
  end(): void;
}

/** Watches a job while something else is looked at. That it cannot be asked is told, and ends nothing. */
export function watchJobAside(contest: Contest, job: ContestJob): JobAside {
  const ending = new AbortController();
  let headline: string | null = null;
  const onNews = (news: JobNews) => {
    headline = `Job ${job.id}: ${describeNews(news)}`;
  };
  const report = watchJob(contest, job, { onNews, signal: ending.signal }).catch((fault: unknown) => {
    headline = `Job ${job.id}: ${toSortieError(fault).message}`;
    return null;
  });
  return {
    headline: () => headline,
    async settle(waitMs, signal) {
      const patience = contest.desk.clock.sleep(waitMs, AbortSignal.any([signal, ending.signal]));
      return Promise.race([report, patience.then(() => null)]);
    },
    end: () => ending.abort(),
  };
}
