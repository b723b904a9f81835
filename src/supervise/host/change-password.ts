import { hashPassword } from "../../gateway/accounts/password.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { changePassword } from "../../gateway/records/users.ts";
import type { ActionPlan } from "../actions/action-plan.ts";
import type { Desk } from "../desk.ts";
import { findPlannedUser } from "./find-user.ts";
import { defineHostAction, type HostTerms, planHostAction } from "./host-action.ts";
import { PASSWORD_VARIABLE, readNewPassword } from "./new-password.ts";

interface PasswordTerms extends HostTerms {
  readonly id: number;
  readonly email: string;
}

/** @throws value_bad, user_unknown */
export async function planChangePassword(
  desk: Desk,
  config: GatewayConfig,
  wanted: string,
): Promise<ActionPlan> {
  const { id, email, passwordAge: age } = await findPlannedUser(config, wanted);
  return planHostAction<PasswordTerms>(desk, config, {
    action: "gateway user passwd",
    terms: { id, email },
    restsOn: [
      { kind: "user", id, email },
      { kind: "password", id, age },
    ],
    sideEffects: [
      `change the password of ${email}, which ends every login of before; agents with a job token go on`,
      `take the new one from ${PASSWORD_VARIABLE} or --password-stdin, else make one and show it once`,
    ],
    look: ["user", "ls"],
  });
}

export const action = defineHostAction<PasswordTerms>({
  check: (desk, _, call) => void readNewPassword(desk, call),
  async execute(desk, records, { id, email }, call) {
    const { password, isMade } = readNewPassword(desk, call);
    changePassword(records, id, await hashPassword(password));
    return {
      document: { user: { id, email }, password: isMade ? password : null },
      words: [
        `${email} has another password now.`,
        ...(isMade ? [`Password, shown only here: ${password}`] : []),
      ],
    };
  },
});
