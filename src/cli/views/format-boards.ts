import type { BoardRank, BoardReport } from "../../supervise/contest/load-boards.ts";
import { formatScore } from "./format-scores.ts";
import { type Column, formatTable } from "./format-table.ts";

export function formatBoards(boards: readonly BoardReport[], columns: number): string[] {
  const shown: readonly Column<BoardReport>[] = [
    { heading: "BOARD", show: ({ name }) => name },
    { heading: "OWN", show: ({ own }) => formatScore(own?.score ?? null), isNumber: true },
    { heading: "RANK", show: ({ own }) => formatRank(own?.rank ?? null), isNumber: true },
    { heading: "BEST", show: ({ best }) => formatScore(best?.score ?? null), isNumber: true },
    { heading: "OF", show: ({ best }) => best?.userName ?? "-" },
    { heading: "MODEL", show: ({ best }) => best?.modelName ?? "-" },
  ];
  return [...formatTable(boards, shown, columns), "Scores of two boards are not to be compared."];
}

export function formatRanks(ranks: readonly BoardRank[], columns: number): string[] {
  const shown: readonly Column<BoardRank>[] = [
    { heading: "BOARD", show: ({ board }) => board },
    { heading: "RANK", show: ({ rank }) => formatRank(rank), isNumber: true },
    { heading: "SCORE", show: ({ score }) => formatScore(score), isNumber: true },
  ];
  return formatTable(ranks, shown, columns);
}

function formatRank(rank: number | null): string {
  return rank === null ? "-" : String(rank);
}
