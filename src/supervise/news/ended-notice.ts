import type { ExperimentsEnded, MeasuredMetric } from "../../notify/notice.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { News } from "./news.ts";

const MOST_FILES = 6;
/** Who was away for less wants to know on their return; what is taken up from an old job folder is no news. */
const NEWS_MS = 7 * 24 * 3600 * 1000;

/** What is known of an experiment beside its record. */
export interface Findings {
  /** The most telling first. */
  readonly metrics: readonly MeasuredMetric[];
  /** The experiment that the deltas are to. */
  readonly baseline: string | null;
}

/** Tells the end of a run; that of an agent is told with its fleet. `more`: as `makeEndedNotice` takes it. */
export function tellEnd(news: News | null, run: RunRecord, now: Date, more: More = {}): void {
  const isOld = run.endedAt !== null && now.getTime() - Date.parse(run.endedAt) > NEWS_MS;
  if (news !== null && !run.seat && !isOld) news.add(makeEndedNotice(run, now, more));
}

interface More {
  readonly findings?: Findings | null;
  readonly costUsd?: number | null;
}

/** Of a run that has ended, and whose results are home or could not be brought there. */
export function makeEndedNotice(
  run: RunRecord,
  now: Date,
  { findings = null, costUsd = null }: More = {},
): ExperimentsEnded {
  const { metrics = [], baseline = null } = findings ?? {};
  return {
    ...{ kind: "experiment_done", phase: "ended", subject: run.id, at: run.endedAt ?? now.toISOString() },
    results: [
      {
        ...{ name: run.name, status: run.state, metrics, seconds: run.durationS },
        lines: [...describeEnd(run), ...describeFiles(run)],
      },
    ],
    ...{ baseline, costUsd },
  };
}

/** The line of a log that shows the cause is not among them: nobody knows what a program prints. */
function describeEnd({ state, endReason, exitCode, cause, target, id, kind, name }: RunRecord): string[] {
  const place = `run ${id} on ${target}`;
  if (state === "succeeded") return [place];
  const reason = cause ?? `reason: ${(endReason ?? "unknown").replaceAll("_", " ")}`;
  return [
    place,
    exitCode === null ? reason : `exit code ${exitCode}; ${reason}`,
    ...(kind === "vast" ? [describeNoRelaunch(name)] : []),
  ];
}

/** A person says when more money is spent. */
export function describeNoRelaunch(name: string): string {
  return `nothing is launched again; see first what went wrong: sortie logs ${name}`;
}

function describeFiles({ name, results, resultsFolder, collectFault }: RunRecord): string[] {
  if (results === null) {
    return [`results not brought home: ${collectFault ?? "unknown"}; try: sortie collect ${name}`];
  }
  if (results.length === 0) return ["no result files"];
  const shown = results.slice(0, MOST_FILES).map(({ path }) => path);
  const more = results.length - shown.length;
  return [
    `results: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
    ...(resultsFolder === null ? [] : [`in ${resultsFolder}`]),
  ];
}
