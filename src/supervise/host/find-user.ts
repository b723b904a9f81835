import { SortieError } from "../../base/error.ts";
import { findLikely } from "../../base/nearest.ts";
import { quoteInput } from "../../base/quote-input.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { listUsers, type User } from "../../gateway/records/users.ts";
import { readRecords } from "./open-data.ts";

const MOST_EMAIL = 254;

/** As records hold it: trimmed, in lower case. @throws value_bad */
export function readEmail(text: string): string {
  const email = text.trim().toLowerCase();
  const isOne =
    /^[^\s@]+@[^\s@]+$/.test(email) && !/[\p{C}\ufffd]/u.test(email) && email.length <= MOST_EMAIL;
  if (isOne) return email;
  throw new SortieError("value_bad", {
    ...{ what: "The address", value: quoteInput(text), reason: "it is no email address" },
    advice: "Write NAME@HOST.",
  });
}

/** The user whom a plan is about. @throws value_bad, user_unknown */
export async function findPlannedUser({ dataFolder }: GatewayConfig, text: string): Promise<User> {
  const email = readEmail(text);
  const users = await readRecords(dataFolder, listUsers, () => []);
  const user = users.find((each) => each.email === email);
  if (user !== undefined) return user;
  throw makeUnknownUser(users, email);
}

export function makeUnknownUser(users: readonly User[], email: string): SortieError {
  const nearest = findLikely(
    email,
    users.map((user) => user.email),
  );
  return new SortieError("user_unknown", { email, nearest: nearest ? ` Did you mean ${nearest}?` : "" });
}

/** As commands print it; null: as the configuration says. */
export function makeUserDocument({ id, uid, email, name, quota, parallelism }: User) {
  return { id, uid, email, name, quota, parallelism };
}
