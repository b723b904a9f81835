import { SortieError } from "../base/error.ts";
import { loadAccount } from "../supervise/contest/load-account.ts";
import { logInAndKeep } from "../supervise/contest/log-in.ts";
import type { Contest } from "../supervise/contest/open-contest.ts";
import type { Io } from "./io.ts";
import { readLogin } from "./read-login.ts";
import { sayLines } from "./say-lines.ts";

/**
 * Where the login is over, or there is none yet, it is made anew: of the environment, or as a person types it.
 * @throws challenge_login_needed
 */
export async function ensureLogin(io: Io, contest: Contest): Promise<void> {
  try {
    await loadAccount(contest);
  } catch (fault) {
    if (!(fault instanceof SortieError) || fault.code !== "challenge_login_needed") throw fault;
    const isNamed = Boolean(io.env["CHALLENGE_EMAIL"] && io.env["CHALLENGE_PASSWORD"]);
    if (!isNamed && !io.isTerminal) throw fault;
    const { user, baseUrl } = await logInAndKeep(contest, { ...(await readLogin(io, {})), method: "post" });
    if (!io.json) sayLines(io, [`Logged in at ${baseUrl} as ${user}.`]);
  }
}
