import type { Scores } from "../../supervise/contest/load-scores.ts";
import { type Column, formatTable } from "./format-table.ts";

type TaskScores = Scores["tasks"][number];

/** What the gateway gave, and mean and sum reckoned here; which of them a board ranks by is not said anywhere. */
export function formatScores({ job, tasks, total, mean, sum }: Scores, columns: number): string[] {
  const shown: readonly Column<TaskScores>[] = [
    { heading: "TASK", show: ({ name }) => name },
    { heading: "CASES", show: ({ scores }) => String(scores.length), isNumber: true },
    { heading: "TOTAL", show: ({ total: own }) => showRaw(own), isNumber: true },
    { heading: "MEAN", show: ({ mean: own }) => formatScore(own), isNumber: true },
    { heading: "SUM", show: ({ sum: own }) => formatScore(own), isNumber: true },
    { heading: "SCORES", show: ({ scores }) => scores.map(showRaw).join(" ") },
  ];
  return [
    `Job ${job}`,
    ...(tasks.length === 0 ? ["No task has a score yet."] : formatTable(tasks, shown, columns)),
    "",
    `total as the gateway gives it: ${showRaw(total)}`,
    `reckoned here from the means of the tasks: mean ${formatScore(mean)}, sum ${formatScore(sum)}`,
    ...(total === 0 && mean === null ? ["A total of 0 may mean that nothing has a score yet."] : []),
  ];
}

export function formatScore(score: number | null): string {
  return score === null ? "-" : score.toFixed(3);
}

function showRaw(value: number | null): string {
  return value === null ? "-" : String(value);
}
