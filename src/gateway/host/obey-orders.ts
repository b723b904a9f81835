import { findCase, listCases, markCase } from "../records/cases.ts";
import { findJob, listLiveJobs } from "../records/jobs.ts";
import { closeOrder, listOpenOrders, type Order } from "../records/orders.ts";
import type { ChallengeDesk } from "./challenge-desk.ts";
import type { ChallengeJobs } from "./challenge-jobs.ts";

/** Does what the organiser wants, and writes down what became of it. */
export function obeyOrders(desk: ChallengeDesk, jobs: ChallengeJobs): void {
  // Jobs that begin anew do so with all of their cases that were ordered at once.
  const revived = new Set<number>();
  const done = listOpenOrders(desk.records).map(({ id, ...order }) => ({
    id,
    outcome: obey(order, desk, jobs, revived),
  }));
  for (const id of revived) jobs.revive(id);
  for (const { id, outcome } of done) closeOrder(desk.records, id, outcome, desk.clock.now());
}

function obey(
  { kind, subject }: Omit<Order, "id">,
  desk: ChallengeDesk,
  jobs: ChallengeJobs,
  revived: Set<number>,
): string {
  if (kind === "cancel") return cancelJob(subject, jobs);
  if (kind === "dismiss") return dismissUser(subject, desk, jobs);
  return requeueCase(subject, desk, jobs, revived);
}

function cancelJob(id: number, jobs: ChallengeJobs): string {
  return jobs.stop(id, "stopped by the organiser") ? `job ${id} is stopped` : `job ${id} had ended already`;
}

function dismissUser(userId: number, { records }: ChallengeDesk, jobs: ChallengeJobs): string {
  const own = listLiveJobs(records).filter((job) => job.userId === userId);
  const stopped = own.filter(({ id }) => jobs.stop(id, "its user was deleted"));
  return `${stopped.length} jobs are stopped`;
}

/** A case that has ended is played again, with whatever its job did not play when it ended. */
function requeueCase(caseId: number, desk: ChallengeDesk, jobs: ChallengeJobs, revived: Set<number>): string {
  const { records } = desk;
  const found = findCase(records, caseId);
  const job = found && findJob(records, found.jobId);
  if (found === undefined || job === undefined) return `there is no case ${caseId}`;
  if (jobs.find(job.id) !== undefined) {
    const isOpen = found.state === "waiting" || found.state === "playing";
    if (isOpen) return `case ${caseId} has not ended`;
    return `job ${job.id} is still live: requeue the case when it has ended`;
  }
  records.together(() => {
    markCase(records, caseId, "waiting");
    for (const { id, state } of listCases(records, job.id)) {
      if (state === "cancelled") markCase(records, id, "waiting");
    }
  });
  revived.add(job.id);
  return `case ${caseId} waits for an agent of job ${job.id}`;
}
