import { toSortieError } from "../../base/error.ts";
import { showUrl } from "../../base/show-url.ts";
import { loadUser } from "../../challenge/api/account.ts";
import { loadTop5 } from "../../challenge/api/leaderboard.ts";
import type { ApiSession } from "../../challenge/api/session.ts";
import type { ContestSymptoms, TokenSymptoms } from "../../diagnosis/contest-symptoms.ts";
import { type LoginCandidate, readTokenTimes } from "./login-candidates.ts";
import { makeReader } from "./make-reader.ts";

export interface LoginLook extends Pick<ContestSymptoms, "api" | "tokens" | "clockAheadS" | "mostCases"> {
  /** With the first token that is taken; null: none is. */
  readonly reader: ApiSession | null;
}

interface LoginPlace {
  readonly baseUrl: string;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** Shows each login token to the challenge on its own: a session would take the next one and go on. Never throws. */
export async function askLogin(candidates: readonly LoginCandidate[], place: LoginPlace): Promise<LoginLook> {
  let aheadMs: number | null = null;
  const onDate = (date: Date) => {
    aheadMs = place.now().getTime() - date.getTime();
  };
  const makeWith = (token: string | null) => makeReader({ ...place, token, onDate });
  const asked: { candidate: LoginCandidate; told: Told }[] = [];
  for (const candidate of candidates) {
    const isVain = !candidate.isAskable || asked.some(({ told: { api } }) => api && api.state !== "answers");
    asked.push({ candidate, told: isVain ? unasked : await askToken(makeWith(candidate.token)) });
  }
  const api = asked.findLast(({ told }) => told.api !== null)?.told.api ?? (await askPublic(makeWith(null)));
  const taken = asked.find(({ told }) => told.answer === "taken")?.told;
  const nowMs = place.now().getTime() - (aheadMs ?? 0);
  return {
    ...{ api, reader: taken?.reader ?? null, mostCases: taken?.mostCases ?? null },
    clockAheadS: aheadMs === null ? null : Math.round(aheadMs / 1000),
    tokens: asked.map(({ candidate, told }) => makeSymptoms(candidate, told, nowMs)),
  };
}

/** The same where there is no address to ask: `api` says why. */
export function leaveLogin(
  candidates: readonly LoginCandidate[],
  api: ContestSymptoms["api"],
  now: Date,
): LoginLook {
  const tokens = candidates.map((candidate) => makeSymptoms(candidate, unasked, now.getTime()));
  return { api, tokens, clockAheadS: null, mostCases: null, reader: null };
}

interface Told extends Pick<TokenSymptoms, "answer" | "said"> {
  /** null: nothing was learned of it. */
  readonly api: ContestSymptoms["api"] | null;
  readonly reader?: ApiSession;
  readonly mostCases?: number | null;
}

const unasked: Told = { answer: "unasked", said: null, api: null };

async function askToken(reader: ApiSession): Promise<Told> {
  try {
    const { maxConcurrentCases } = await loadUser(reader);
    const api = describeAnswer(reader.baseUrl);
    return { answer: "taken", said: null, api, reader, mostCases: maxConcurrentCases };
  } catch (thrown) {
    const { code, details } = toSortieError(thrown);
    if (code !== "challenge_refused") return { ...unasked, api: describeFault(reader.baseUrl, thrown) };
    const said = `${details["status"]}: ${details["text"]}`;
    return { answer: "refused", said, api: describeAnswer(reader.baseUrl) };
  }
}

/** Without a token too it can be told whether anybody answers. */
async function askPublic(reader: ApiSession): Promise<ContestSymptoms["api"]> {
  try {
    await loadTop5(reader);
    return describeAnswer(reader.baseUrl);
  } catch (thrown) {
    const { code } = toSortieError(thrown);
    const isThere = code === "challenge_refused" || code === "challenge_not_offered";
    return isThere ? describeAnswer(reader.baseUrl) : describeFault(reader.baseUrl, thrown);
  }
}

function describeAnswer(baseUrl: string): ContestSymptoms["api"] {
  return { baseUrl: showUrl(baseUrl), state: "answers", said: "it answers" };
}

function describeFault(url: string, thrown: unknown): ContestSymptoms["api"] {
  const { code, message, details } = toSortieError(thrown);
  const baseUrl = showUrl(url);
  if (code === "challenge_away") return { baseUrl, state: "away", said: String(details["reason"]) };
  const isTrouble = code === "challenge_fault" || code === "challenge_busy";
  return { baseUrl, state: isTrouble ? "trouble" : "odd", said: message };
}

function makeSymptoms(candidate: LoginCandidate, { answer, said }: Told, nowMs: number): TokenSymptoms {
  const { from, shape, isElsewhere } = candidate;
  return { from, shape, isElsewhere, answer, said, ...readTokenTimes(candidate, nowMs) };
}
