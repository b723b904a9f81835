import { isSameOrigin } from "./base-url.ts";
import type { StateFile } from "./state-file.ts";
import { isJwt, isNoToken } from "./token-shape.ts";

export interface LoginToken {
  readonly token: string;
  readonly from: "environment" | "file";
  /** Where it was found, for people; its value is not in it. */
  readonly said: string;
}

export interface LoginTokens {
  /** To be tried in this order, each once. */
  readonly tokens: readonly LoginToken[];
  /** Why others are not among them, a clause each; no value stands in them. */
  readonly leftOut: readonly string[];
}

/**
 * The login tokens that may be shown to the challenge at this address: that of the environment, then that of the state file,
 * unless the file names another server as the one that it is of.
 */
export function listLoginTokens(
  { env, state }: { env: Readonly<Record<string, string | undefined>>; state: StateFile },
  baseUrl: string,
): LoginTokens {
  const { values, path } = state;
  const inFile = `CHALLENGE_TOKEN of ${path}`;
  const isElsewhere = values.BASE_URL !== undefined && !isSameOrigin(values.BASE_URL.trim(), baseUrl);
  const found = [
    judge(env["CHALLENGE_TOKEN"], "environment", "CHALLENGE_TOKEN of the environment"),
    isElsewhere && !isNoToken(values.CHALLENGE_TOKEN)
      ? `${inFile} is of another address, BASE_URL of the same file`
      : judge(values.CHALLENGE_TOKEN, "file", inFile),
  ];
  const tokens = found.filter((one) => one !== null && typeof one !== "string");
  const [first, second] = tokens;
  const isTwice = first !== undefined && first.token === second?.token;
  return {
    tokens: isTwice ? [second] : tokens,
    leftOut: found.filter((one) => typeof one === "string"),
  };
}

/** The token, a clause that says why it is none, or null where there is nothing. */
function judge(
  value: string | undefined,
  from: LoginToken["from"],
  said: string,
): LoginToken | string | null {
  const token = value?.trim();
  if (token === undefined || token === "") return null;
  if (isNoToken(token)) return `${said} is ${token}, which a script writes that found none`;
  if (!isJwt(token)) return `${said} is not three parts with dots between them, as a login token is`;
  return { token, from, said };
}
