import { expect, it } from "vitest";
import type { Failure } from "../../supervise/contest/load-failure.ts";
import type { JobReport } from "../../supervise/contest/load-report.ts";
import { formatBoards } from "./format-boards.ts";
import { formatReport, formatReports } from "./format-contest-jobs.ts";
import { formatNews, formatWatchEnd } from "./format-contest-news.ts";
import { formatFailure } from "./format-failure.ts";
import { formatRows } from "./format-leaderboard.ts";
import { formatScores } from "./format-scores.ts";
import { formatVideos } from "./format-videos.ts";

const now = new Date("2026-11-29T12:00:00Z");
const EVIL = `two\nlines \u001b[31mred ${"long ".repeat(30)}`;
const report: JobReport = {
  ...{
    id: 12,
    uuid: "0b5c6f0e-7f0e-4c55-9a6e-6d8f9c1f2a3b",
    name: EVIL,
    board: "instruction",
    modelName: EVIL,
  },
  ...{ parallelism: 4, state: "waiting_for_slot", isTerminal: false, progress: { done: 3, total: 100 } },
  said: "waiting for a free simulator: an agent is connected, no case is being played, 3 of 100 cases done",
  ...{ endReason: null, score: 0.25, createdAt: "2026-11-29T11:57:00Z", startedAt: null, endedAt: null },
};
const best = {
  ...{
    rank: 1,
    userUid: "u-1",
    userName: EVIL,
    modelName: EVIL,
    paperLink: null,
    score: 0.844,
    createdAt: null,
  },
};
const failure: Failure = {
  ...{ caseId: 7, agentId: "agent-1", at: null, reason: 9, whose: "contestant", error: EVIL, exitCode: 1 },
  said: "the tunnel to the agent was lost: the agent was not back within the reconnect window",
  ...{
    traceback: ["Traceback (most recent call last):", "OSError: \u001b[2Jgone"],
    lines: ["OSError: gone"],
    outputUrl: null,
  },
};

it("what a terminal shows fits 80 columns, and nothing raw comes from outside", () => {
  const shown = [
    ...formatReports([report], { current: 12, now, columns: 80 }),
    ...formatReport(report, now, 80),
    ...formatBoards([{ name: "manip", best, own: { board: "manip", rank: 3, score: 0.5 } }], 80),
    ...formatRows({ board: "manip", rows: [best], page: 1, totalPages: 2, total: 21 }, 80),
    ...formatFailure(12, failure, 80),
    ...formatNews({ kind: "job", at: now.toISOString(), report }, 80).split("\n"),
    ...formatNews({ kind: "away", at: now.toISOString(), reason: EVIL }, 80).split("\n"),
    ...formatWatchEnd(report),
  ];
  expect(shown.filter((line) => Array.from(line).length > 80)).toEqual([]);
  expect(shown.join()).not.toContain("\u001b");
  expect(shown.filter((line) => line.includes("\n"))).toEqual([]);
});

it("the current job is marked, and its state is words", () => {
  expect(
    formatReports([{ ...report, name: "n", modelName: "m" }], { current: 12, now, columns: 120 })[1],
  ).toBe("12 *  instruction  waiting for slot  3/100  0.250  3 min ago  m      n");
});

it("T43 scores are raw, mean and sum, and nothing is claimed of them", () => {
  const task = { name: "pick", scores: [95, 92, 88], total: 275, mean: 91.667, sum: 275 };
  const text = formatScores({ job: 3, raw: {}, total: 573, mean: 95.5, sum: 191, tasks: [task] }, 200).join(
    "\n",
  );
  expect(text).toContain("pick      3    275  91.667  275.000  95 92 88");
  expect(text).toContain("total as the gateway gives it: 573");
  expect(text).toContain("mean 95.500, sum 191.000");
  expect(text).not.toMatch(/rank|official|final/);
  const empty = formatScores({ job: 3, raw: {}, total: 0, mean: null, sum: null, tasks: [] }, 80).join("\n");
  expect(empty).toMatch(/No task has a score yet[\s\S]*0 may mean that nothing has a score yet/);
});

it("a failure is told with whose doing it is, its exit code, its traceback and its last lines", () => {
  const text = formatFailure(12, failure, 200).join("\n");
  expect(text).toMatch(/reason +the tunnel to the agent was lost/);
  expect(text).toMatch(/whose +usually the agent's side/);
  expect(text).toMatch(/exit code +1/);
  expect(text).toMatch(/last traceback:\n {2}Traceback[\s\S]*last 1 lines?:\n {2}OSError: gone/);
  expect(formatFailure(12, null, 80)).toEqual(["No case of job 12 has failed."]);
});

it("a link to a video is shown whole", () => {
  const link = `https://videos.example.org/${"x".repeat(200)}`;
  const episode = { taskName: "pick", episodeUuid: null, taskId: 1, caseId: 2, score: 1, headUrl: link };
  const lines = formatVideos({ job: 3, state: "ready", expiresInS: 28_800, episodes: [episode] });
  expect(lines).toEqual([
    "Job 3: the videos are there, links good for 8 h 00 min",
    "pick, case 2, score 1.000",
    `  ${link}`,
  ]);
});
