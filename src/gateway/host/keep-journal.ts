import type { CaseEnd, CaseFailure, JobOutcome } from "../case-end.ts";
import type { JobJournal } from "../job-journal.ts";
import { recordPolicy } from "../recording/record-policy.ts";
import {
  beginAttempt,
  endAttempt,
  type FailureReason,
  findNewestFailure,
  markLeft,
  nameRecording,
} from "../records/attempts.ts";
import { markCase } from "../records/cases.ts";
import { type JobRow, jobStatus, markEnded, markRunning } from "../records/jobs.ts";
import type { CaseResult, CaseSpec, Policy } from "../simulator.ts";
import { wrapPolicy } from "../wrap-policy.ts";
import type { ChallengeDesk } from "./challenge-desk.ts";
import { isPlayedOutside } from "./is-played-outside.ts";
import { makeReplyKeeper } from "./keep-replies.ts";
import { scoreJob } from "./score-job.ts";

/** As the platform counts them. That a simulator failed is kept beside the number: it costs no attempt. */
const reasons: Readonly<Record<CaseFailure, FailureReason>> = {
  tunnel_lost: "tunnel_lost",
  agent_error: "execution_error",
  simulator_error: "execution_error",
  simulator_left: "execution_error",
  timeout: "timeout",
  cancelled: "operator_reap",
  sibling_failed: "sibling_of_dead_job",
};

const statuses = {
  succeeded: jobStatus.succeeded,
  stopped: jobStatus.stopped,
  failed: jobStatus.failed,
} as const satisfies Record<JobOutcome, number>;

/** Writes a job's cases, replies and end into the database, and its sessions into recordings. */
export function makeJournal(job: JobRow, desk: ChallengeDesk): JobJournal {
  const { records, ledger, clock, recorder, book, metrics } = desk;
  const isOutside = isPlayedOutside(desk.config, job.board);
  const replies = makeReplyKeeper(desk, isOutside);
  return {
    begin(spec, sessionId, agentId) {
      const now = clock.now();
      ledger.write(() => {
        markRunning(records, job.id, now);
        beginAttempt(records, { caseId: findId(spec), jobId: job.id, sessionId, agentId }, now);
      });
    },
    keepReply: replies.keep,
    record(spec, session, agentId) {
      const keepLeave = () => ledger.write(() => markLeft(records, session.sessionId));
      const policy = watchLeave(metrics.watchPolicy(session), keepLeave);
      if (recorder === undefined) return { policy, close: () => undefined };
      const { sessionId } = policy;
      const { task, index, seed } = spec;
      const { uuid: jobUuid, board } = job;
      const info = { caseId: findId(spec), jobUuid, board, task, index, seed, sessionId, agentId };
      const tape = recorder.openTape(info, isOutside);
      const { file } = tape;
      if (file !== undefined) ledger.write(() => nameRecording(records, sessionId, file));
      return { policy: recordPolicy(policy, tape), close: (end) => void tape.end(describeEnd(end)) };
    },
    end({ spec, failure, detail = null, result }, sessionId, retried) {
      const at = clock.now();
      const reason = failure === undefined ? "none" : reasons[failure];
      if (sessionId !== undefined) replies.forget(sessionId);
      ledger.write(() =>
        records.together(() => {
          const isBySimulator = failure === "simulator_error" || failure === "simulator_left";
          const told = { reason, isBySimulator, detail: detail ?? result?.detail ?? null };
          // A session that the database refused as a second owner of the case says nothing about the case.
          if (sessionId !== undefined && !endAttempt(records, sessionId, told, at)) return;
          if (retried) return markCase(records, findId(spec), "waiting");
          const state = failure === undefined ? "done" : isCancelled(failure) ? "cancelled" : "failed";
          const end = { score: result?.score ?? null, steps: result?.steps ?? null, at };
          markCase(records, findId(spec), state, end);
        }),
      );
    },
    noteAgent: (agentId) => book.note(job.id, agentId),
    settle({ outcome }, whenWritten) {
      const now = clock.now();
      ledger.write(() => {
        const reason = outcome === "failed" ? (findNewestFailure(records, job.id)?.detail ?? null) : null;
        const score = outcome === "succeeded" ? scoreJob(records, job.id) : null;
        markEnded(records, job.id, { status: statuses[outcome], reason, score }, now);
        whenWritten();
      });
    },
  };
}

/** That a simulator said good-bye is on record before its agent is free, so that a restart does not begin its case again. */
function watchLeave(policy: Policy, keepLeave: () => void): Policy {
  return wrapPolicy(policy, {
    release() {
      keepLeave();
      policy.release?.();
    },
  });
}

/** As a recording has it: one that failed has no score. */
function describeEnd({ result, failure, detail }: Omit<CaseEnd, "agentId">): CaseResult {
  return result ?? { score: null, steps: 0, detail: detail ?? failure };
}

function isCancelled(failure: CaseFailure): boolean {
  return failure === "cancelled" || failure === "sibling_failed";
}

function findId({ id = 0 }: CaseSpec): number {
  return id;
}
