import { randomUUID } from "node:crypto";
import {
  beginAttempt,
  endAttempt,
  type FailureReason,
  nameRecording,
} from "../../src/gateway/records/attempts.ts";
import { listCases, markCase } from "../../src/gateway/records/cases.ts";
import { insertJob, markEnded, markRunning, type NewJob } from "../../src/gateway/records/jobs.ts";
import type { ApiStage } from "./api-stage.ts";

interface JobFacts extends Partial<NewJob> {
  /** A score a case of `pick`, then of `place`; default: two and three without. undefined: it still waits. */
  readonly scores?: { readonly [task: string]: readonly (number | null | undefined)[] };
}

const unplayed = { pick: [undefined, undefined], place: [undefined, undefined, undefined] };

/** Records a job as if it had been submitted, and played as far as it has scores. Its number. */
export function addJob({ records, state }: ApiStage, userId: number, facts: JobFacts = {}): number {
  const { scores = unplayed, ...rest } = facts;
  const id = insertJob(
    records,
    {
      ...{ uuid: randomUUID(), userId, name: "job", board: "manip", modelName: "pi0", parallelism: 2 },
      ...{ tokenHash: Buffer.alloc(32), quotaDay: "2026-11-29" },
      cases: Object.entries(scores).flatMap(([task, list], taskIndex) =>
        list.map((_, index) => ({ task, taskId: taskIndex + 1, index, seed: index })),
      ),
      ...rest,
    },
    state.now,
  );
  const flat = Object.values(scores).flat();
  listCases(records, id).forEach((row, index) => {
    const score = flat[index];
    if (score !== undefined) markCase(records, row.id, "done", { score, steps: 3, at: state.now });
  });
  return id;
}

/** Ends a job that has these scores. */
export function endJob(
  { records, state }: ApiStage,
  id: number,
  status: 2 | 3 | 4,
  score: number | null,
): void {
  markRunning(records, id, state.now);
  markEnded(records, id, { status, reason: status === 2 ? null : "in words", score }, state.now);
}

/** Records an attempt at a case that has ended; its session. */
export function addAttempt(
  { records, state }: ApiStage,
  jobId: number,
  end: {
    readonly case?: number;
    readonly reason: FailureReason;
    readonly isBySimulator?: boolean;
    readonly detail?: string;
    readonly recording?: string;
  },
): string {
  const sessionId = randomUUID();
  const caseRow = listCases(records, jobId)[end.case ?? 0];
  if (caseRow === undefined) throw new Error("the job has no such case");
  beginAttempt(records, { caseId: caseRow.id, jobId, sessionId, agentId: "agent-1" }, state.now);
  endAttempt(records, sessionId, { ...end, detail: end.detail ?? null }, state.now);
  if (end.recording !== undefined) nameRecording(records, sessionId, end.recording);
  const { state: before, score, steps } = caseRow;
  markCase(records, caseRow.id, before, { score, steps, at: state.now });
  return sessionId;
}
