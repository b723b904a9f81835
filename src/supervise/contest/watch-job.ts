import { SortieError, toSortieError } from "../../base/error.ts";
import { tellJobEnd } from "../news/tell-job-end.ts";
import type { ContestJob } from "./find-contest-job.ts";
import { type JobReport, loadReportOf } from "./load-report.ts";
import { type Contest, openContest } from "./open-contest.ts";

/** What is new of a job, or of the way to it. */
export type JobNews =
  | { readonly kind: "job"; readonly at: string; readonly report: JobReport }
  | { readonly kind: "away"; readonly at: string; readonly reason: string }
  | { readonly kind: "back"; readonly at: string; readonly awayS: number }
  /** Of the login: a token that is stale, or was renewed. */
  | { readonly kind: "note"; readonly at: string; readonly text: string };

export interface WatchOptions {
  readonly onNews: (news: JobNews) => void;
  readonly signal?: AbortSignal | undefined;
  /** Default: none. */
  readonly timeoutMs?: number | undefined;
  /** The shortest and the longest rest between looks; default: what the challenge asks for. */
  readonly restMs?: readonly [least: number, most: number];
}

const REST_MS = [2_000, 5_000] as const;
/**
 * Replies that cannot be read come from what stands before a server that restarts, and a list may lack for a moment a job that
 * it had; for ever they are a fault.
 */
const MOST_ODD = 10;

/**
 * Looks at a job until it is over, and tells changes only. A gateway that is away is asked on, however long it is; what it
 * refuses is final. null: the signal aborted.
 * @throws contest_watch_timeout, challenge_login_needed, challenge_refused, challenge_job_unknown
 */
export async function watchJob(
  contest: Contest,
  job: ContestJob,
  { onNews, signal, timeoutMs = Number.POSITIVE_INFINITY, restMs = REST_MS }: WatchOptions,
): Promise<JobReport | null> {
  const { desk, session } = contest;
  const { clock } = desk;
  const startMs = clock.monotonicMs();
  const tell = makeTeller(clock, onNews, session.notes);
  // The looks themselves are the retries here.
  const asked = openContest(desk, { baseUrl: session.baseUrl, retries: false, signal });
  for (;;) {
    const report = await lookOnce(asked, job, tell, signal);
    if (report?.isTerminal) {
      await tellJobEnd(asked, report);
      return report;
    }
    if (signal?.aborted) return null;
    const leftMs = startMs + timeoutMs - clock.monotonicMs();
    if (leftMs <= 0) throw makeTimeout(job, tell.last(), timeoutMs);
    await clock.sleep(Math.min(chooseRest(restMs), leftMs), signal);
    if (signal?.aborted) return null;
  }
}

type Teller = ReturnType<typeof makeTeller>;

/** null: it could not be asked. */
async function lookOnce(
  contest: Contest,
  job: ContestJob,
  tell: Teller,
  signal: AbortSignal | undefined,
): Promise<JobReport | null> {
  try {
    const report = await loadReportOf(contest, job);
    tell.report(report);
    tell.notes(contest.session.notes);
    return report;
  } catch (thrown) {
    const fault = toSortieError(thrown);
    if (signal?.aborted) return null;
    if (!tell.away(fault)) throw fault;
    return null;
  }
}

/** Remembers what was told last, so that nothing is told twice. */
function makeTeller(
  clock: Contest["desk"]["clock"],
  onNews: WatchOptions["onNews"],
  known: readonly string[],
) {
  const told = new Set(known);
  let last: JobReport | null = null;
  let awaySinceMs: number | null = null;
  let odd = 0;
  const at = () => clock.now().toISOString();
  return {
    last: () => last,
    notes(texts: readonly string[]): void {
      for (const text of texts) if (!told.has(text)) onNews({ kind: "note", at: at(), text });
      for (const text of texts) told.add(text);
    },
    report(report: JobReport): void {
      odd = 0;
      if (awaySinceMs !== null) {
        const awayS = Math.round((clock.monotonicMs() - awaySinceMs) / 1000);
        onNews({ kind: "back", at: at(), awayS });
        awaySinceMs = null;
      }
      if (last === null || describeChange(last) !== describeChange(report))
        onNews({ kind: "job", at: at(), report });
      last = report;
    },
    /** false: waiting is no cure. */
    away(fault: SortieError): boolean {
      const isMissed = last !== null && fault.code === "challenge_job_unknown";
      const isOdd = isMissed || fault.code.startsWith("challenge_reply_");
      odd = isOdd ? odd + 1 : 0;
      if (!fault.retryable && (!isOdd || odd > MOST_ODD)) return false;
      if (awaySinceMs === null) onNews({ kind: "away", at: at(), reason: fault.message });
      awaySinceMs ??= clock.monotonicMs();
      return true;
    },
  };
}

function describeChange({ state, said, progress }: JobReport): string {
  return JSON.stringify([state, said, progress]);
}

/** Many watchers should not ask in step. */
function chooseRest([least, most]: readonly [number, number]): number {
  return least + Math.random() * (most - least);
}

function makeTimeout(job: ContestJob, last: JobReport | null, timeoutMs: number): SortieError {
  const state = last?.state.replaceAll("_", " ") ?? "not reached";
  return new SortieError("contest_watch_timeout", { job: job.id, state, seconds: timeoutMs / 1000 });
}
