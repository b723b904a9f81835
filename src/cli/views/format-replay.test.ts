import { expect, it } from "vitest";
import type { ReplayDocument, SurveyDocument } from "../../supervise/replay/make-document.ts";
import { formatReplay, formatSurvey } from "./format-replay.ts";

const percentiles = { p50: 3.456, p95: 350.4, p99: 400, max: 12_345 };
const info = {
  ...{
    caseId: 7,
    jobUuid: "0b5c6f0e-7f0e-4c55-9a6e-6d8f9c1f2a3b",
    board: "instruction",
    task: "pick",
    index: 12,
  },
  ...{ seed: 40, sessionId: "3f2b8c1e-7f0e-4c55-9a6e-6d8f9c1f2a3b", startedAt: "2026-11-29T20:00:00.000Z" },
  agentId: "9a6e3f2b-7f0e-4c55-9a6e-6d8f9c1f2a3b",
};
const wordy = { ...info, sessionId: "\u001b[31mred-and-long", task: "a task of many words ".repeat(10) };

const survey: SurveyDocument = {
  recordings: [info, wordy].map((one) => ({
    ...{ file: "a file", info: one, durationMs: 3_723_000, latency: percentiles },
    observations: { count: 10_000, bytes: 7e9, largestBytes: 7_800_000 },
    actions: { count: 9_999, bytes: 7e7, largestBytes: 7_515 },
    result: one === info ? { score: 0.5, steps: 10_000, detail: "it fell\u001b[2J" } : null,
  })),
  faults: [],
};

const replay: ReplayDocument = {
  ...{ handler: "policy:handle", tolerance: 0, passed: false, notPlayed: ["left.sortie-recording"] },
  sessions: [info, wordy].map((one) => ({
    ...{ file: "a file", info: one, observations: 100, compared: 98, equal: 90, different: 8, unanswered: 1 },
    ...{
      faults: 1,
      firstFault: { step: 0, message: "no weights" },
      isTorn: true,
      isLast: false,
      passed: false,
    },
    firstDifference: { step: 9, path: "result.left_arm.values[7][3]", recorded: "0.1", replayed: "0.35" },
    largest: { left_arm: 0.25000001, waist: 1e-7 },
    latency: { recorded: percentiles, replayed: null },
  })),
  faults: [],
};

it.each([80, 200])("both tables fit %i columns, and pass no control character on", (columns) => {
  const lines = [...formatSurvey(survey, columns), ...formatReplay(replay, columns)];
  for (const line of lines) {
    expect(line.length).toBeLessThanOrEqual(columns);
    expect(line).not.toContain("\u001b");
  }
});

it("a wide terminal shows more columns than a narrow one", () => {
  const [narrow, wide] = [80, 200].map((columns) => formatSurvey(survey, columns)[0]);
  expect(narrow).not.toContain("LARGEST");
  expect(wide).toMatch(
    /^SESSION +CASE +BOARD +FRAMES +SIZE +LARGEST +ANSWERS +TIME +P50 +P95 +SLOWEST +SCORE +STARTED +AGENT$/,
  );
});

it("says what differs, what failed, and what was not played", () => {
  expect(formatReplay(replay, 200).join("\n")).toContain(
    [
      "3f2b8c1e: the handler failed before the first observation: no weights",
      "3f2b8c1e: first differs at observation 9: result.left_arm.values[7][3] was 0.1, now 0.35",
      "3f2b8c1e: furthest apart: left_arm 0.25, waist 1e-7",
      "3f2b8c1e: 1 of its observations had no answer in the recording",
      "3f2b8c1e: the recording is cut off; what it holds was played",
    ].join("\n"),
  );
  expect(formatReplay(replay, 200).slice(-3)).toEqual([
    "left.sortie-recording: not played, since the handler had ended",
    "",
    "180 of 196 actions are equal to the recorded ones: not the same.",
  ]);
});
