import { SortieError } from "../../base/error.ts";
import { quoteInput } from "../../base/quote-input.ts";
import { hashPassword } from "../../gateway/accounts/password.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { findUserByEmail, insertUser } from "../../gateway/records/users.ts";
import type { ActionPlan } from "../actions/action-plan.ts";
import type { Desk } from "../desk.ts";
import { makeUserDocument, readEmail } from "./find-user.ts";
import { defineHostAction, type HostTerms, planHostAction } from "./host-action.ts";
import { isInvisible } from "./is-invisible.ts";
import { PASSWORD_VARIABLE, readNewPassword } from "./new-password.ts";
import { readRecords } from "./open-data.ts";
import { describeOwnLimit, listConfigured, readUserLimit } from "./user-limits.ts";

interface AddUserTerms extends HostTerms {
  readonly email: string;
  readonly name: string;
  /** null: as the configuration says. */
  readonly quota: number | null;
  readonly parallelism: number | null;
}

export interface UserWish {
  readonly email: string;
  /** Default: what stands before the @. */
  readonly name?: string;
  readonly quota?: string;
  readonly parallelism?: string;
}

const MOST_NAME = 100;

/** @throws value_bad, user_exists */
export async function planAddUser(desk: Desk, config: GatewayConfig, wish: UserWish): Promise<ActionPlan> {
  const email = readEmail(wish.email);
  const name = readName(wish.name ?? email.slice(0, email.indexOf("@")));
  const quota = readUserLimit("quota", wish.quota ?? "default");
  const parallelism = readUserLimit("parallelism", wish.parallelism ?? "default");
  const known = await readRecords(
    config.dataFolder,
    (records) => findUserByEmail(records, email),
    () => undefined,
  );
  if (known !== undefined) throw new SortieError("user_exists", { email });
  const limits = `${describeOwnLimit(config, "quota", quota)}, ${describeOwnLimit(config, "parallelism", parallelism)}`;
  return planHostAction<AddUserTerms>(desk, config, {
    action: "gateway user add",
    terms: { email, name, quota, parallelism },
    restsOn: [
      { kind: "no_user", email },
      ...listConfigured(config, "quota", quota),
      ...listConfigured(config, "parallelism", parallelism),
    ],
    sideEffects: [
      `add the user ${email}, called ${name}, to ${config.dataFolder}: ${limits}`,
      `take the password from ${PASSWORD_VARIABLE} or --password-stdin, else make one and show it once`,
    ],
    look: ["user", "ls"],
  });
}

export const action = defineHostAction<AddUserTerms>({
  check: (desk, _, call) => void readNewPassword(desk, call),
  async execute(desk, records, { email, name, quota, parallelism }, call) {
    const { password, isMade } = readNewPassword(desk, call);
    const user = insertUser(
      records,
      {
        ...{ email, name, passwordHash: await hashPassword(password) },
        ...{ quota: quota ?? undefined, parallelism: parallelism ?? undefined },
      },
      desk.clock.now(),
    );
    return {
      document: { user: makeUserDocument(user), password: isMade ? password : null },
      words: [`${email} is a user now.`, ...(isMade ? [`Password, shown only here: ${password}`] : [])],
    };
  },
});

function readName(text: string): string {
  const name = text.trim();
  const reason = findNameFault(name);
  if (reason === undefined) return name;
  const advice = `Write 1 to ${MOST_NAME} characters.`;
  throw new SortieError("value_bad", { what: "The name", value: quoteInput(text), reason, advice });
}

function findNameFault(name: string): string | undefined {
  if (name === "") return "it is empty";
  if (name.length > MOST_NAME) return "it is too long";
  // Joiners are part of emoji, and of Persian and Indian scripts.
  if (/[\p{Cc}\p{Cs}\ufffd]|(?![\u200c\u200d])\p{Cf}/u.test(name))
    return "there are control characters in it";
  return isInvisible(name) ? "nothing of it can be seen" : undefined;
}
