import type { RestoredCase } from "../job-parts.ts";
import { forgetAllAgents, listAgents } from "../records/agents.ts";
import {
  type AttemptRow,
  endAttempt,
  type FailureReason,
  listAgentsOfEnded,
  listOpenAttempts,
} from "../records/attempts.ts";
import { markCase } from "../records/cases.ts";
import { findJob, type JobRow, listLiveJobs } from "../records/jobs.ts";
import { listReplies } from "../records/replies.ts";
import { readSetting } from "../records/settings.ts";
import { STARTUP_RECONCILE } from "../session-loss.ts";
import type { CaseSpec } from "../simulator.ts";
import type { ChallengeDesk } from "./challenge-desk.ts";
import type { ChallengeJobs } from "./challenge-jobs.ts";
import { findBoardFault } from "./find-board-fault.ts";
import { isPlayedOutside } from "./is-played-outside.ts";
import { ALIVE_AT } from "./keep-time.ts";

/** The detail of an attempt whose board the configuration has no more, or as another kind. */
const BOARD_LOST = "the board was changed in the configuration";

/** Of a case whose simulator said good-bye: its score may still come. */
const UNSCORED = { score: null, detail: "unscored: no score came before the gateway ended" };

/**
 * Takes up what an earlier gateway left: every job that has not ended. A case whose score was told is over, and so is one
 * whose simulator said good-bye. Other sessions go on where the gateway was gone for no longer than an agent may be, and all
 * that they need was kept, the newest of each agent; else they are over, by reason 9 of the documents, and their cases
 * begin again.
 */
export function reconcile(desk: ChallengeDesk, jobs: ChallengeJobs): void {
  const { records, config } = desk;
  const isInTime = findDowntimeMs(desk) < config.timers.windowMs;
  const awaited: AttemptRow[] = [];
  const open = listOpenAttempts(records);
  const newest = new Map(open.map((attempt) => [nameAgent(attempt), attempt]));
  records.together(() => {
    for (const attempt of open) {
      const isOver = attempt.replies > 0 && (attempt.told !== undefined || attempt.hasLeft);
      if (isOver) endPlayed(desk, attempt, attempt.told ?? UNSCORED);
      else if (isBoardLost(desk, attempt)) endLost(desk, attempt, "operator_reap", BOARD_LOST);
      else if (isInTime && attempt.isResumable && newest.get(nameAgent(attempt)) === attempt)
        awaited.push(attempt);
      else endLost(desk, attempt, "tunnel_lost", STARTUP_RECONCILE);
    }
  });
  for (const job of listLiveJobs(records)) {
    const own = awaited.filter(({ jobId }) => jobId === job.id);
    jobs.open(job.id, (specs) => own.flatMap((attempt) => findRestored(desk, job, attempt, specs)));
  }
  if (isInTime) bidFarewells(desk, jobs);
  forgetAllAgents(records);
}

/** An agent that ended a session itself may have another before the simulator of the first has heard of that. */
function nameAgent({ jobId, agentId }: AttemptRow): string {
  return `${jobId} ${agentId}`;
}

/**
 * Agents that were drained and may not have heard it: their jobs have ended, and yet they dial again. Agents are on record a
 * second late, so that those of a short job are known by what they played.
 */
function bidFarewells({ records, config, clock }: ChallengeDesk, jobs: ChallengeJobs): void {
  const since = new Date(clock.now().getTime() - 2 * config.timers.windowMs);
  const agents = new Map<number, Set<string>>();
  for (const { jobId, agentId } of [...listAgents(records), ...listAgentsOfEnded(records, since)]) {
    agents.set(jobId, (agents.get(jobId) ?? new Set()).add(agentId));
  }
  for (const [jobId, farewells] of agents) jobs.bidFarewell(jobId, [...farewells]);
}

/** How long no gateway was there. A clock that was set back says nothing: no time has passed then. */
function findDowntimeMs({ records, clock }: ChallengeDesk): number {
  const aliveAt = Date.parse(readSetting(records, ALIVE_AT) ?? "");
  return Number.isNaN(aliveAt) ? Number.POSITIVE_INFINITY : Math.max(0, clock.now().getTime() - aliveAt);
}

function endPlayed(
  { records, clock }: ChallengeDesk,
  { sessionId, caseId, replies }: AttemptRow,
  { score, steps = replies, detail }: { score: number | null; steps?: number; detail?: string },
): void {
  endAttempt(records, sessionId, { reason: "none", detail: detail ?? null }, clock.now());
  markCase(records, caseId, "done", { score, steps, at: clock.now() });
}

/** Nobody can go on with it; that was the organiser's doing, and no agent's. */
function isBoardLost({ config, records }: ChallengeDesk, { jobId }: AttemptRow): boolean {
  const job = findJob(records, jobId);
  return job !== undefined && findBoardFault(config, records, job) !== undefined;
}

function endLost(
  { records, clock }: ChallengeDesk,
  { sessionId, caseId }: AttemptRow,
  reason: FailureReason,
  detail: string,
): void {
  endAttempt(records, sessionId, { reason, detail }, clock.now());
  markCase(records, caseId, "waiting");
}

function findRestored(
  { records, config }: ChallengeDesk,
  { board }: JobRow,
  { caseId, agentId, sessionId, replies: taken }: AttemptRow,
  specs: readonly CaseSpec[],
): RestoredCase[] {
  const spec = specs.find(({ id }) => id === caseId);
  if (spec === undefined) return [];
  const replies = listReplies(records, sessionId);
  const count = isPlayedOutside(config, board) ? taken : replies.length;
  return [{ spec, agentId, past: { sessionId, replies, count } }];
}
