import { DEFAULT_BASE_URL } from "../../challenge/addresses.ts";
import { saveState } from "../../challenge/save-state.ts";
import { loadStateFile } from "../../challenge/state-file.ts";
import type { Contest } from "./open-contest.ts";

/** Makes the address in use the state file's, unless its login token is of another. What a person should know of it. */
export function keepBaseUrl(contest: Contest): string[] {
  const { desk, session, state } = contest;
  const changes = findBaseUrlChange(contest);
  if (changes !== null) return [...saveState(desk.env, changes).said];
  return isOfFile(contest)
    ? []
    : [`${session.baseUrl} is not kept in ${state.path}, whose login is of another address: log in there`];
}

/** What writes the address in use into the state file; null: it is there, or may not be. */
export function findBaseUrlChange(contest: Contest): { BASE_URL: string } | null {
  if (isOfFile(contest)) return null;
  const { desk, session } = contest;
  const { CHALLENGE_TOKEN: token } = loadStateFile(desk.env).values;
  // A login token of the file is one of the file's address: with another one it would be sent there.
  return token === undefined || token === session.token ? { BASE_URL: session.baseUrl } : null;
}

function isOfFile({ desk, session }: Contest): boolean {
  return session.baseUrl === (loadStateFile(desk.env).values.BASE_URL ?? DEFAULT_BASE_URL);
}
