import { isSameOrigin } from "../../challenge/base-url.ts";
import type { StateFile } from "../../challenge/state-file.ts";
import { isJwt, isNoToken, readExpiry } from "../../challenge/token-shape.ts";
import type { TokenSymptoms } from "../../diagnosis/contest-symptoms.ts";
import type { Environment } from "../desk.ts";

/** A login token as it stands somewhere, also one that no session would show to anybody. */
export interface LoginCandidate extends Pick<TokenSymptoms, "from" | "shape" | "isElsewhere"> {
  readonly token: string;
  /** It may be shown to the challenge at this address. */
  readonly isAskable: boolean;
}

/** In the order in which a session tries them. */
export function listLoginCandidates(
  { env, state: { values } }: { env: Environment; state: StateFile },
  baseUrl: string,
): LoginCandidate[] {
  const isOfOther = values.BASE_URL !== undefined && !isSameOrigin(values.BASE_URL.trim(), baseUrl);
  const found = [
    ...makeCandidate(env["CHALLENGE_TOKEN"], "environment", false),
    ...makeCandidate(values.CHALLENGE_TOKEN, "file", isOfOther),
  ];
  const [first, second] = found;
  return second !== undefined && first?.token === second.token ? [second] : found;
}

/** `nowMs`: by the clock of the challenge, where it is known. */
export function readTokenTimes(
  { token }: LoginCandidate,
  nowMs: number,
): Pick<TokenSymptoms, "expiresAt" | "isExpired"> {
  const expiry = readExpiry(token);
  return {
    expiresAt: expiry?.toISOString() ?? null,
    isExpired: expiry !== null && expiry.getTime() < nowMs,
  };
}

function makeCandidate(
  value: string | undefined,
  from: TokenSymptoms["from"],
  isElsewhere: boolean,
): LoginCandidate[] {
  const token = value?.trim() ?? "";
  if (token === "") return [];
  const shape = isNoToken(token) ? "void" : isJwt(token) ? "good" : "damaged";
  return [{ token, from, shape, isElsewhere, isAskable: shape === "good" && !isElsewhere }];
}
