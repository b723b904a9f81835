import { SortieError } from "../../base/error.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { giveOrder } from "../../gateway/records/orders.ts";
import type { ActionPlan } from "../actions/action-plan.ts";
import type { Desk } from "../desk.ts";
import { awaitOrders } from "./await-orders.ts";
import { describeStage, describeStatus, isLiveStatus } from "./describe-job.ts";
import { describeJob, findJobOf, refuseJob } from "./find-job.ts";
import { defineHostAction, type HostTerms, planHostAction } from "./host-action.ts";
import { readRecords } from "./open-data.ts";

interface CancelTerms extends HostTerms {
  readonly id: number;
  readonly uuid: string;
}

/** `wanted`: number or uuid. @throws gateway_job_unknown, gateway_job_over */
export async function planCancelJob(desk: Desk, config: GatewayConfig, wanted: string): Promise<ActionPlan> {
  const job = await readRecords(
    config.dataFolder,
    (records) => findJobOf(records, wanted),
    () => refuseJob(wanted),
  );
  const { id, uuid, status } = job;
  if (!isLiveStatus(status))
    throw new SortieError("gateway_job_over", { job: id, state: describeStatus(status) });
  return planHostAction<CancelTerms>(desk, config, {
    action: "gateway cancel",
    terms: { id, uuid },
    restsOn: [{ kind: "job", id, stage: describeStage(status) }],
    notes: ["the submission stays counted in its user's quota of the day"],
    sideEffects: [`stop ${describeJob(job)}: no case begins any more, its agents are told to drain`],
    look: ["jobs", String(id)],
  });
}

export const action = defineHostAction<CancelTerms>({
  async execute(desk, records, { id, uuid, dataFolder }) {
    const order = giveOrder(records, "cancel", id, desk.clock.now());
    const { document, words } = await awaitOrders(desk, records, { dataFolder, orders: [order] });
    return { document: { job: { id, uuid }, ...document }, words };
  },
});
