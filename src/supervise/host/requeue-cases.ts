import { SortieError } from "../../base/error.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { type CaseRow, findCase, listCases } from "../../gateway/records/cases.ts";
import { findJob, type JobRow } from "../../gateway/records/jobs.ts";
import { giveOrder } from "../../gateway/records/orders.ts";
import { findUser, type User } from "../../gateway/records/users.ts";
import type { Store } from "../../store/store.ts";
import type { ActionPlan } from "../actions/action-plan.ts";
import type { Desk } from "../desk.ts";
import { awaitOrders } from "./await-orders.ts";
import { isNotPlayed, tellCases } from "./cases-told.ts";
import { describeStage } from "./describe-job.ts";
import { findJobOf, refuseJob } from "./find-job.ts";
import { defineHostAction, type HostTerms, planHostAction } from "./host-action.ts";
import { readRecords } from "./open-data.ts";

/** So many cases are named in words; the terms have all of them. */
const NAMED = 10;

interface RequeueTerms extends HostTerms {
  readonly job: number;
  /** Those that were asked for. */
  readonly cases: readonly number[];
  /** Those that are played again with them, since a job succeeds by all of its cases alone. */
  readonly others: readonly number[];
}

interface Requeue {
  readonly job: JobRow;
  readonly owner: User;
  /** In the order of the board. */
  readonly cases: readonly CaseRow[];
  readonly others: readonly CaseRow[];
}

/**
 * `wanted`: `c12` for a case that failed or has no score, number or uuid of a job for all of its cases that failed; where none
 * did, for all without a score.
 * @throws gateway_case_unknown, gateway_job_unknown, nothing_to_requeue
 */
export async function planRequeue(desk: Desk, config: GatewayConfig, wanted: string): Promise<ActionPlan> {
  const { job, owner, cases, others } = await readRecords(
    config.dataFolder,
    (records) => findRequeue(records, wanted),
    () => refuseJob(wanted),
  );
  return planHostAction<RequeueTerms>(desk, config, {
    action: "gateway requeue",
    terms: { job: job.id, cases: cases.map(({ id }) => id), others: others.map(({ id }) => id) },
    restsOn: [
      { kind: "user", id: owner.id, email: owner.email },
      { kind: "job", id: job.id, stage: describeStage(job.status) },
      { kind: "cases", ...tellCases(job.id, [...cases, ...others]) },
    ],
    notes: [
      "agents must dial the job again, with a token that they have",
      "what failed of these cases so far costs no attempt any more",
    ],
    sideEffects: [
      ...describeAgain(job.id, cases),
      ...(others.length > 0
        ? [
            `play with them what else failed or was cancelled, since a job needs all of its cases: ${nameCases(others)}`,
          ]
        : []),
      `open job ${job.id} anew where it has ended; its score is made anew`,
    ],
    look: ["jobs", String(job.id)],
  });
}

export const action = defineHostAction<RequeueTerms>({
  async execute(desk, records, { job, cases, dataFolder }) {
    const now = desk.clock.now();
    const orders = records.together(() => cases.map((id) => giveOrder(records, "requeue", id, now)));
    const { document, words } = await awaitOrders(desk, records, { dataFolder, orders });
    return { document: { job, cases, ...document }, words };
  },
});

function describeAgain(job: number, cases: readonly CaseRow[]): string[] {
  const failed = cases.filter(isNotPlayed);
  const unscored = cases.filter((row) => !isNotPlayed(row));
  const score = "ended well and got no score; one that still came for it would not count";
  return [
    ...(failed.length > 0 ? [`play again of job ${job}: ${nameCases(failed)}`] : []),
    ...(unscored.length > 0 ? [`play again of job ${job} what ${score}: ${nameCases(unscored)}`] : []),
  ];
}

function nameCases(cases: readonly CaseRow[]): string {
  const names = cases.slice(0, NAMED).map(({ id, task, index }) => `c${id} (${task} ${index})`);
  const more = cases.length - names.length;
  return names.join(", ") + (more > 0 ? `, and ${more} more` : "");
}

function findRequeue(records: Store, wanted: string): Requeue {
  const cases = findAgain(records, wanted);
  const job = findJob(records, (cases[0] as CaseRow).jobId) as JobRow;
  const owner = findUser(records, job.userId);
  if (owner === undefined) {
    const reason = `the user of job ${job.id} was deleted`;
    throw new SortieError("nothing_to_requeue", { reason });
  }
  const others = listCases(records, job.id).filter(
    (row) => isNotPlayed(row) && !cases.some(({ id }) => id === row.id),
  );
  return { job, owner, cases, others };
}

function findAgain(records: Store, wanted: string): CaseRow[] {
  const [, digits] = /^c(\d{1,15})$/.exec(wanted) ?? [];
  if (digits === undefined) {
    const job = findJobOf(records, wanted);
    const all = listCases(records, job.id);
    const failed = all.filter(({ state }) => state === "failed");
    const again = failed.length > 0 ? failed : all.filter(isUnscored);
    if (again.length > 0) return again;
    throw new SortieError("nothing_to_requeue", {
      reason: `no case of job ${job.id} failed or has no score`,
    });
  }
  const found = findCase(records, Number(digits));
  if (found === undefined) throw new SortieError("gateway_case_unknown", { case: wanted });
  if (found.state === "failed" || isUnscored(found)) return [found];
  const scored = found.state === "done" ? ", with a score" : "";
  throw new SortieError("nothing_to_requeue", { reason: `case ${wanted} is ${found.state}${scored}` });
}

function isUnscored({ state, score }: CaseRow): boolean {
  return state === "done" && score === null;
}
