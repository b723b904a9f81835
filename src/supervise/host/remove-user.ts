import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { listLiveJobs } from "../../gateway/records/jobs.ts";
import { giveOrder } from "../../gateway/records/orders.ts";
import { deleteUser } from "../../gateway/records/users.ts";
import type { ActionPlan } from "../actions/action-plan.ts";
import type { Desk } from "../desk.ts";
import { awaitOrders } from "./await-orders.ts";
import { findPlannedUser } from "./find-user.ts";
import { defineHostAction, type HostTerms, planHostAction } from "./host-action.ts";
import { readRecords } from "./open-data.ts";

interface RemoveTerms extends HostTerms {
  readonly id: number;
  readonly email: string;
}

/** @throws value_bad, user_unknown */
export async function planRemoveUser(desk: Desk, config: GatewayConfig, wanted: string): Promise<ActionPlan> {
  const { id, email } = await findPlannedUser(config, wanted);
  const jobs = await readRecords(config.dataFolder, listLiveJobs, () => []);
  const own = jobs.filter(({ userId }) => userId === id).map((job) => job.id);
  return planHostAction<RemoveTerms>(desk, config, {
    action: "gateway user rm",
    terms: { id, email },
    restsOn: [
      { kind: "user", id, email },
      { kind: "live_jobs", userId: id, jobs: own },
    ],
    notes: ["scores of jobs that have ended stay on record"],
    sideEffects: [
      `delete the user ${email}: no login, and no agent with it, is let in any more`,
      own.length === 0
        ? "stop no job: none of theirs is live"
        : `stop ${own.length} live ${own.length === 1 ? "job" : "jobs"}, and what is being played of it`,
    ],
    look: ["user", "ls"],
  });
}

export const action = defineHostAction<RemoveTerms>({
  async execute(desk, records, { id, email, dataFolder }) {
    const now = desk.clock.now();
    const order = records.together(() => {
      deleteUser(records, id, now);
      return giveOrder(records, "dismiss", id, now);
    });
    const { document, words } = await awaitOrders(desk, records, { dataFolder, orders: [order] });
    return {
      document: { user: { id, email }, ...document },
      words: [`${email} is no user any more.`, ...words],
    };
  },
});
