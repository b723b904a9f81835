import type { Store } from "../../store/store.ts";
import { readLoginToken } from "../accounts/login-token.ts";
import { findUser } from "../records/users.ts";

/** Whose login a token is, as jobs name their owner; undefined: it is none, or over. */
export async function findLoginOwner(
  records: Store,
  signingKey: Uint8Array,
  token: string,
  now: Date,
): Promise<string | undefined> {
  const login = await readLoginToken(signingKey, token, now);
  if (login === undefined || login.expiredForMs > 0) return undefined;
  const user = findUser(records, login.userId);
  return user?.passwordAge === login.passwordAge ? String(user.id) : undefined;
}
