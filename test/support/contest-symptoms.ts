import { expect } from "vitest";
import type { AgentSymptoms, ContestSymptoms, JobSymptoms } from "../../src/diagnosis/contest-symptoms.ts";
import { diagnoseContest } from "../../src/diagnosis/diagnose-contest.ts";

/** As a person has it. */
export const STATE_PATH = "/home/ada/.simubotix-challenge.env";

/** A login token that is taken. */
export const goodToken = {
  from: "file",
  shape: "good",
  expiresAt: null,
  isExpired: false,
  isElsewhere: false,
  answer: "taken",
  said: null,
} as const;
/** One that is not, and gave no reason to be taken for expired. */
export const refusedToken = { ...goodToken, answer: "refused", said: "401: invalid token" } as const;

/** A job that is being played. */
export const runningJob: JobSymptoms = {
  ...{ uuid: "0f1e", name: "night", handle: "12", state: "running", isTerminal: false },
  ...{ said: "evaluating", parallelism: 4, failure: null },
};

/** An agent that plays. */
export const runningAgent: AgentSymptoms = {
  ...{ name: "agent 1", run: "night-1", isLive: true, state: "running", sinceS: 30 },
  ...{ ends: [], logTail: "", events: [] },
};

/** A contest in which nothing is wrong. */
export const fineContest: ContestSymptoms = {
  stateFile: { path: STATE_PATH, exists: true, fault: null, isOpen: false, unread: [] },
  tokens: [goodToken],
  api: { baseUrl: "https://challenge.example.org", state: "answers", said: "200" },
  ...{ clockAheadS: 1, job: runningJob, jobAbsence: null, wanted: "0f1e", mostCases: null },
  endpoint: {
    ...{ url: "ws://10.0.0.1/tunnel", source: "TUNNEL_ENDPOINT", isDefault: false },
    ...{ fault: null, told: "ws://10.0.0.1/tunnel", unreachable: null },
  },
  environment: { proxies: [], proxied: [], otherBaseUrl: null, otherJob: null },
  ...{ agents: [runningAgent], agentsFault: null },
};

/** One of the findings is of that row, says all of these words, and has no place left open. */
export function expectFinding(seen: ContestSymptoms, code: string, words: readonly string[]): void {
  const found = diagnoseContest(seen).find((one) => one.code === code);
  const text = `${found?.cause} ${found?.evidence} ${found?.next}`;
  for (const word of words) expect(text).toContain(word);
  expect(text).not.toMatch(/\{\w+\}|undefined/);
}
