import { DEFAULT_BASE_URL } from "../../challenge/addresses.ts";
import { loadUser } from "../../challenge/api/account.ts";
import { type Credentials, logIn } from "../../challenge/api/log-in.ts";
import { saveState } from "../../challenge/save-state.ts";
import { readExpiry } from "../../challenge/token-shape.ts";
import { checkStateFile } from "./check-state-file.ts";
import { findJobOfFile } from "./current-job.ts";
import type { Contest } from "./open-contest.ts";

/** A login that is on disk; its token is in none of this. */
export interface KeptLogin {
  readonly baseUrl: string;
  readonly user: string;
  /** null: the token does not say. */
  readonly expiresAt: string | null;
  readonly path: string;
  /** What a person should know, in sentences. */
  readonly said: readonly string[];
}

/** Logs in and keeps the token, with the address that it is of. @throws challenge_login_refused, state_file_unreadable */
export async function logInAndKeep(contest: Contest, credentials: Credentials): Promise<KeptLogin> {
  checkStateFile(contest, ["CHALLENGE_TOKEN"]); // before a password is sent for nothing
  const token = await logIn(contest.session, credentials);
  const said = saveLogin(contest, token);
  return describeLogin(contest, [...said, ...findShadows(contest, token)]);
}

/** Renews the login, which the session keeps itself. @throws challenge_login_needed, challenge_away */
export async function refreshAndKeep(contest: Contest): Promise<KeptLogin> {
  checkStateFile(contest, ["CHALLENGE_TOKEN"]);
  const token = await contest.session.refreshToken();
  return describeLogin(contest, findShadows(contest, token));
}

async function describeLogin({ session, state }: Contest, said: readonly string[]): Promise<KeptLogin> {
  const { name: user } = await loadUser(session);
  const expiresAt = readExpiry(session.token ?? "")?.toISOString() ?? null;
  return { baseUrl: session.baseUrl, user, expiresAt, path: state.path, said };
}

function saveLogin({ desk, session, state }: Contest, token: string): string[] {
  const { baseUrl } = session;
  const before = state.values.BASE_URL ?? DEFAULT_BASE_URL;
  // The token is this address's: with another one beside it, or none, it would be sent to the wrong place.
  const isNamed = state.values.BASE_URL === baseUrl;
  const { path, said } = saveState(desk.env, {
    CHALLENGE_TOKEN: token,
    ...(isNamed ? {} : { BASE_URL: baseUrl }),
  });
  const isOfOther = before !== baseUrl && findJobOfFile(state) !== null;
  return isOfOther
    ? [...said, `the current job in ${path} is of ${before}: sortie challenge reset forgets it`]
    : said;
}

function findShadows({ desk }: Contest, token: string): string[] {
  const own = desk.env["CHALLENGE_TOKEN"]?.trim();
  if (!own || own === token) return [];
  return [
    "CHALLENGE_TOKEN of the environment is another one and goes before the file's: unset CHALLENGE_TOKEN",
  ];
}
