import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { changeLimit } from "../../gateway/records/users.ts";
import type { ActionPlan } from "../actions/action-plan.ts";
import type { Desk } from "../desk.ts";
import { findPlannedUser } from "./find-user.ts";
import { defineHostAction, type HostTerms, planHostAction } from "./host-action.ts";
import { describeOwnLimit, listConfigured, readUserLimit, type UserLimit } from "./user-limits.ts";

interface LimitTerms extends HostTerms {
  readonly id: number;
  readonly email: string;
  readonly limit: UserLimit;
  /** null: as the configuration says. */
  readonly value: number | null;
}

/** @throws value_bad, user_unknown */
export async function planChangeLimit(
  desk: Desk,
  config: GatewayConfig,
  wish: { readonly email: string; readonly limit: UserLimit; readonly value: string },
): Promise<ActionPlan> {
  const { limit } = wish;
  const value = readUserLimit(limit, wish.value);
  const user = await findPlannedUser(config, wish.email);
  const { id, email } = user;
  return planHostAction<LimitTerms>(desk, config, {
    action: `gateway user ${limit}`,
    terms: { id, email, limit, value },
    restsOn: [
      { kind: "user", id, email },
      { kind: "limit", id, limit, value: user[limit] },
      ...listConfigured(config, limit, value, user[limit]),
    ],
    notes: limit === "parallelism" ? ["jobs that were submitted before keep the number that they have"] : [],
    sideEffects: [
      `give ${email} ${describeOwnLimit(config, limit, value)} (now ${describeOwnLimit(config, limit, user[limit])})`,
    ],
    look: ["user", "ls"],
  });
}

export const action = defineHostAction<LimitTerms>({
  async execute(_, records, { id, email, limit, value }) {
    changeLimit(records, id, limit, value);
    return {
      document: { user: { id, email, [limit]: value } },
      words: [`The ${limit} of ${email} is ${value ?? "the configured one"} now.`],
    };
  },
});
