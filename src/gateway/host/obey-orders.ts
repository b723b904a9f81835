import { findCase } from "../records/cases.ts";
import { findJob, listLiveJobs } from "../records/jobs.ts";
import { closeOrder, listOpenOrders, type Order } from "../records/orders.ts";
import { findUser } from "../records/users.ts";
import type { ChallengeDesk } from "./challenge-desk.ts";
import type { ChallengeJobs } from "./challenge-jobs.ts";

/**
 * Does what the organiser wants, and writes down what became of it. While the ledger holds what is not written yet orders
 * wait: what they go by is not on record.
 */
export function obeyOrders(desk: ChallengeDesk, jobs: ChallengeJobs): void {
  const { records, ledger, clock } = desk;
  const orders = ledger.waiting === 0 ? listOpenOrders(records) : [];
  const revived = new Set<number>();
  for (const order of orders) {
    if (ledger.waiting > 0) return;
    const outcome = obey(order, { desk, jobs, orders, revived });
    ledger.write(() => closeOrder(records, order.id, outcome, clock.now()));
  }
}

interface Work {
  readonly desk: ChallengeDesk;
  readonly jobs: ChallengeJobs;
  /** All that are open. */
  readonly orders: readonly Order[];
  /** Jobs that begin anew by one of them. */
  readonly revived: Set<number>;
}

function obey({ kind, subject }: Order, work: Work): string {
  const { desk, jobs } = work;
  if (kind === "cancel") return cancelJob(subject, jobs);
  if (kind === "dismiss") return dismissUser(subject, desk, jobs);
  return requeueCase(subject, work);
}

function cancelJob(id: number, jobs: ChallengeJobs): string {
  return jobs.stop(id, "stopped by the organiser") ? `job ${id} is stopped` : `job ${id} had ended already`;
}

function dismissUser(userId: number, { records }: ChallengeDesk, jobs: ChallengeJobs): string {
  const own = listLiveJobs(records).filter((job) => job.userId === userId);
  const stopped = own.filter(({ id }) => jobs.stop(id, "its user was deleted"));
  return stopped.length === 1 ? "1 job is stopped" : `${stopped.length} jobs are stopped`;
}

/** A case of a job that has ended is played again, with all others of it that did not end well. */
function requeueCase(caseId: number, { desk, jobs, orders, revived }: Work): string {
  const { records } = desk;
  const found = findCase(records, caseId);
  const job = found && findJob(records, found.jobId);
  if (found === undefined || job === undefined) return `there is no case ${caseId}`;
  if (findUser(records, job.userId) === undefined) return `the user of job ${job.id} was deleted`;
  const waits = `case ${caseId} waits for an agent of job ${job.id}`;
  if (jobs.find(job.id) !== undefined) {
    const isOpen = found.state === "waiting" || found.state === "playing";
    if (isOpen) return revived.has(job.id) ? waits : `case ${caseId} has not ended`;
    return `job ${job.id} is still live: requeue the case when it has ended`;
  }
  const named = orders.filter(({ kind }) => kind === "requeue").map(({ subject }) => subject);
  jobs.revive(job.id, named);
  revived.add(job.id);
  return waits;
}
