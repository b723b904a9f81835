import { readWord } from "./job-item.ts";
import { readList, readNumber, readRow } from "./reply-shape.ts";
import type { ApiSession } from "./session.ts";

export interface TaskResult {
  readonly name: string;
  /** A case or step each; null: it has no score. */
  readonly scores: readonly (number | null)[];
  /** As the server has it: a sum or a mean, which it does not say. */
  readonly total: number | null;
  /** Ours, of the scores that are there; of the total where there are none. */
  readonly mean: number | null;
}

export interface JobResult {
  /** The reply as it came. */
  readonly raw: unknown;
  /** Only the first servers tell it here. */
  readonly status: number | string | null;
  readonly tasks: readonly TaskResult[];
  /** As the server has it: a sum or a mean, which it does not say; 0 may mean that nothing has a score yet. */
  readonly total: number | null;
  /** Ours, of the tasks' means; null: nothing has a score. */
  readonly mean: number | null;
  readonly sum: number | null;
}

/** The scores of a job, by its number. @throws SortieError `challenge_job_id_wrong` */
export async function loadResult(session: ApiSession, id: number, signal?: AbortSignal): Promise<JobResult> {
  return session.get(`job/${encodeURIComponent(id)}/result`, { read: readResult, signal });
}

function readResult(raw: unknown): JobResult {
  const row = readRow(raw);
  const tasks = Object.entries(readRow(row["tasks"] ?? {}, "tasks")).map(([name, task]) =>
    readTask(name, task),
  );
  const means = tasks.map(({ mean }) => mean);
  return {
    ...{ raw, status: readWord(row["status"]), tasks, total: readNumber(row["total"]) },
    ...{ mean: averageKnown(means), sum: sumKnown(means) },
  };
}

function readTask(name: string, value: unknown): TaskResult {
  const row = readRow(value, `the task ${name}`);
  const scores = readList(row["score"], `the score of ${name}`).map(readNumber);
  const total = readNumber(row["total"]);
  return { name, scores, total, mean: averageKnown(scores) ?? (scores.length === 0 ? total : null) };
}

function sumKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function averageKnown(values: readonly (number | null)[]): number | null {
  const sum = sumKnown(values);
  return sum === null ? null : sum / values.filter((value) => value !== null).length;
}
