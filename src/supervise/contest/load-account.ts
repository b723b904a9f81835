import { loadQuota, loadUser, type Quota, type User } from "../../challenge/api/account.ts";
import type { Contest } from "./open-contest.ts";

export interface Account extends User {
  readonly baseUrl: string;
}

export async function loadAccount({ session }: Contest): Promise<Account> {
  return { ...(await loadUser(session)), baseUrl: session.baseUrl };
}

/** The numbers of the API and no others. */
export async function loadQuotaNow({ session }: Contest): Promise<Quota> {
  return loadQuota(session);
}
