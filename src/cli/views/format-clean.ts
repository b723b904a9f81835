import { wrapText } from "../../base/wrap.ts";
import type { CleanPlan } from "../../supervise/clean-runs.ts";
import { isEnded, type RunRecord } from "../../supervise/find-runs.ts";
import { formatAge } from "./format-time.ts";

/** So many runs are named; of more, their number, and the oldest. */
const NAMED = 8;
const INDENT = 9;

/** What `sortie clean` would do, a group a line or two; a run that is lost to this machine has lines of its own. */
export function formatClean({ runs, lost, away }: CleanPlan, now: Date, columns: number): string[] {
  const say = (label: string, text: string) =>
    wrapText(text, columns, " ".repeat(INDENT), `  ${label}`.padEnd(INDENT));
  const lines: string[] = [];
  if (runs.length > 0) lines.push(...say("forget", `${nameRuns(runs, now)}, with job folder and record`));
  for (const run of lost) {
    const seen = run.observedAt === null ? "never seen" : `last seen ${formatAge(run.observedAt, now)}`;
    lines.push(...say("forget", `${run.name}, ${run.state} on ${run.host}, ${seen}`));
    const untouched = isEnded(run.state)
      ? "its results and log are given up"
      : "its processes are not looked at";
    lines.push(...say("", `${untouched}, its job folder ${run.jobFolder} stays`));
  }
  if (away.length > 0) {
    const [first] = away as [RunRecord];
    const which = away.length === 1 ? first.name : "RUN";
    lines.push(...say("keep", `${nameRuns(away, now)}: not brought home yet (sortie collect ${which})`));
  }
  return lines;
}

function nameRuns(runs: readonly RunRecord[], now: Date): string {
  if (runs.length <= NAMED) return runs.map((run) => `${run.name} (${run.state})`).join(", ");
  const ends = runs.map((run) => run.endedAt ?? run.createdAt).sort();
  return `${runs.length} runs, the oldest ended ${formatAge(ends[0] as string, now)}`;
}
