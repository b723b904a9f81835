import { SortieError } from "../../base/error.ts";
import { findLikely } from "../../base/nearest.ts";
import { findUserByEmail, listUsers, type User } from "../../gateway/records/users.ts";
import type { Store } from "../../store/store.ts";

const MOST_EMAIL = 254;

/** As records hold it: trimmed, in lower case. @throws value_bad */
export function readEmail(text: string): string {
  const email = text.trim().toLowerCase();
  const isOne =
    /^[^\s@]+@[^\s@]+$/.test(email) && !/[\p{C}\ufffd]/u.test(email) && email.length <= MOST_EMAIL;
  if (isOne) return email;
  throw new SortieError("value_bad", {
    ...{ what: "The address", value: JSON.stringify(text), reason: "it is no email address" },
    advice: "Write NAME@HOST.",
  });
}

/** @throws value_bad, user_unknown */
export function findUserOf(records: Store, text: string): User {
  const email = readEmail(text);
  const user = findUserByEmail(records, email);
  if (user !== undefined) return user;
  throw makeUnknownUser(records, email);
}

export function makeUnknownUser(records: Store, email: string): SortieError {
  const nearest = findLikely(
    email,
    listUsers(records).map((user) => user.email),
  );
  return new SortieError("user_unknown", { email, nearest: nearest ? ` Did you mean ${nearest}?` : "" });
}

/** As commands print it; null: as the configuration says. */
export function makeUserDocument({ id, uid, email, name, quota, parallelism }: User) {
  return { id, uid, email, name, quota, parallelism };
}
