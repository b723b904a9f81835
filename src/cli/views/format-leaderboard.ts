import type { BoardPage, LeaderboardRow, UserTasks } from "../../supervise/contest/load-leaderboards.ts";
import { makeLine } from "./format-facts.ts";
import { formatScore } from "./format-scores.ts";
import { type Column, formatTable } from "./format-table.ts";

const rowColumns: readonly Column<LeaderboardRow>[] = [
  { heading: "RANK", show: ({ rank }) => (rank === null ? "-" : String(rank)), isNumber: true },
  { heading: "SCORE", show: ({ score }) => formatScore(score), isNumber: true },
  { heading: "USER", show: ({ userName }) => userName ?? "-" },
  { heading: "MODEL", show: ({ modelName }) => modelName ?? "-" },
  { heading: "UID", show: ({ userUid }) => userUid ?? "-", spare: 1 },
];

export function formatRows({ board, rows, page, totalPages, total }: BoardPage, columns: number): string[] {
  if (rows.length === 0) return [`No rows on ${makeLine(board)}.`];
  const more = totalPages > page ? [`page ${page} of ${totalPages}, ${total} rows: --page ${page + 1}`] : [];
  return [...formatTable(rows, rowColumns, columns), ...more];
}

/** The best of each board. */
export function formatTop(
  boards: Readonly<Record<string, readonly LeaderboardRow[]>>,
  columns: number,
): string[] {
  return Object.entries(boards).flatMap(([board, rows], index) => [
    ...(index === 0 ? [] : [""]),
    makeLine(board),
    ...(rows.length === 0 ? ["  no score yet"] : formatTable(rows, rowColumns, columns)),
  ]);
}

const taskColumns: readonly Column<UserTasks["tasks"][number]>[] = [
  { heading: "TASK", show: ({ name }) => name ?? "-" },
  { heading: "CASES", show: ({ scores }) => String(scores.length), isNumber: true },
  { heading: "TOTAL", show: ({ total }) => formatScore(total), isNumber: true },
];

export function formatDetail({ board, userName, tasks }: UserTasks, columns: number): string[] {
  return [makeLine(`${userName ?? "-"} on ${board}`), ...formatTable(tasks, taskColumns, columns)];
}
