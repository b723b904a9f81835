import { SortieError } from "../../base/error.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { type CaseRow, findCase, listCases } from "../../gateway/records/cases.ts";
import { giveOrder } from "../../gateway/records/orders.ts";
import type { Store } from "../../store/store.ts";
import type { ActionPlan } from "../actions/action-plan.ts";
import type { Desk } from "../desk.ts";
import { awaitOrders } from "./await-orders.ts";
import { findJobOf, refuseJob } from "./find-job.ts";
import { defineHostAction, type HostTerms, planHostAction } from "./host-action.ts";
import { readRecords } from "./open-data.ts";

/** So many cases are named in words; the terms have all of them. */
const NAMED = 10;

interface RequeueTerms extends HostTerms {
  readonly job: number;
  readonly cases: readonly number[];
}

/**
 * `wanted`: `c12` for a case, number or uuid of a job for all of its cases that failed.
 * @throws gateway_case_unknown, gateway_job_unknown, nothing_to_requeue
 */
export async function planRequeue(desk: Desk, config: GatewayConfig, wanted: string): Promise<ActionPlan> {
  const cases = await readRecords(
    config.dataFolder,
    (records) => findFailed(records, wanted),
    () => refuseJob(wanted),
  );
  const ids = cases.map(({ id }) => id);
  const job = (cases[0] as CaseRow).jobId;
  return planHostAction<RequeueTerms>(desk, config, {
    action: "gateway requeue",
    terms: { job, cases: ids },
    restsOn: ids.map((id) => ({ kind: "case_failed", id })),
    notes: ["agents must dial the job again, with a token that they have"],
    sideEffects: [
      `play again of job ${job}: ${nameCases(cases)}`,
      `open job ${job} anew where it has ended, with the cases that it did not come to; its score is made anew`,
    ],
    look: ["jobs", String(job)],
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

function nameCases(cases: readonly CaseRow[]): string {
  const names = cases.slice(0, NAMED).map(({ id, task, index }) => `c${id} (${task} ${index})`);
  const more = cases.length - names.length;
  return names.join(", ") + (more > 0 ? `, and ${more} more that failed` : "");
}

function findFailed(records: Store, wanted: string): CaseRow[] {
  const [, digits] = /^c(\d{1,15})$/.exec(wanted) ?? [];
  if (digits === undefined) {
    const job = findJobOf(records, wanted);
    const failed = listCases(records, job.id).filter(({ state }) => state === "failed");
    if (failed.length > 0) return failed;
    throw new SortieError("nothing_to_requeue", { reason: `no case of job ${job.id} failed` });
  }
  const found = findCase(records, Number(digits));
  if (found === undefined) throw new SortieError("gateway_case_unknown", { case: wanted });
  if (found.state === "failed") return [found];
  throw new SortieError("nothing_to_requeue", { reason: `case ${wanted} is ${found.state}` });
}
