import { loadResult, type TaskResult } from "../../challenge/api/result.ts";
import type { ContestJob } from "./find-contest-job.ts";
import type { Contest } from "./open-contest.ts";

/** What a job has scored, as the API gives it and as it is reckoned here: which of them counts the API does not say. */
export interface Scores {
  readonly job: number;
  /** The reply as it came. */
  readonly raw: unknown;
  readonly total: number | null;
  /** Of the tasks' means. */
  readonly mean: number | null;
  readonly sum: number | null;
  readonly tasks: readonly (TaskResult & { readonly sum: number | null })[];
}

export async function loadScores({ session }: Contest, { id }: ContestJob): Promise<Scores> {
  const { raw, total, mean, sum, tasks } = await loadResult(session, id);
  const shown = tasks.map((task) => ({ ...task, sum: sumKnown(task.scores) ?? task.total }));
  return { job: id, raw, total, mean, sum, tasks: shown };
}

function sumKnown(scores: TaskResult["scores"]): number | null {
  const known = scores.filter((score) => score !== null);
  return known.length === 0 ? null : known.reduce((sum, score) => sum + score, 0);
}
