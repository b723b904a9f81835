import type { ApiFlags } from "../config/behaviours.ts";
import type { CaseRow } from "../records/cases.ts";

export interface TaskScores {
  /** A case each, in their order; null: it has no score, which is not 0. */
  readonly score: (number | null)[];
  readonly total: number | null;
}

export interface ResultScores {
  readonly tasks: Record<string, TaskScores>;
  readonly total: number | null;
}

type Scored = Pick<CaseRow, "task" | "score">;

/**
 * The scores of a job's cases by task. The first documents sum both a task and the whole; the later ones average a task, and
 * the whole is their sum or their mean. What has no score is in neither; null: nothing has one.
 */
export function totalScores(
  cases: readonly Scored[],
  { statusStyle, totalStyle }: Pick<ApiFlags, "statusStyle" | "totalStyle">,
): ResultScores {
  const totalTask = statusStyle === "old" && totalStyle === "sum" ? sumScores : averageScores;
  const tasks = [...groupByTask(cases)].map(
    ([task, score]) => [task, { score, total: totalTask(score) }] as const,
  );
  const totals = tasks.map(([, { total }]) => total);
  const totalAll = totalStyle === "sum" ? sumScores : averageScores;
  return { tasks: Object.fromEntries(tasks), total: totalAll(totals) };
}

function groupByTask(cases: readonly Scored[]): Map<string, (number | null)[]> {
  const groups = new Map<string, (number | null)[]>();
  for (const { task, score } of cases) {
    const scores = groups.get(task) ?? [];
    groups.set(task, scores);
    scores.push(score);
  }
  return groups;
}

function sumScores(scores: readonly (number | null)[]): number | null {
  const known = scores.filter((score) => score !== null);
  return known.length === 0 ? null : known.reduce((sum, score) => sum + score, 0);
}

function averageScores(scores: readonly (number | null)[]): number | null {
  const sum = sumScores(scores);
  return sum === null ? null : sum / scores.filter((score) => score !== null).length;
}
