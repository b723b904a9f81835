import { defineContestRows, findOnce } from "../contest-row.ts";
import { type ContestSymptoms, isLoggedIn, type TokenSymptoms } from "../contest-symptoms.ts";

/** The login tokens: whether there is one that is taken, and whether another stands in its way. */
export const challengeLoginRows = defineContestRows([
  {
    code: "login_good",
    what: "login",
    level: "ok",
    find: ({ tokens, stateFile }) => {
      const taken = tokens.find(({ answer }) => answer === "taken");
      return findOnce(taken !== undefined, { whose: taken ? nameToken(taken, stateFile.path) : "" });
    },
    cause: "You are logged in.",
    evidence: "{whose} is taken",
    next: null,
  },
  {
    code: "login_missing",
    what: "login",
    level: "bad",
    find: ({ tokens, stateFile }) => findOnce(tokens.length === 0, { path: stateFile.path }),
    cause: "There is no login token.",
    evidence: "no CHALLENGE_TOKEN in the environment or in {path}",
    next: "`sortie challenge login`",
  },
  {
    code: "login_void",
    what: "login",
    level: "bad",
    find: (seen) => findTokens(seen, ({ shape }) => shape === "void"),
    cause: "A script wrote down a token that it had not got: the login went wrong.",
    evidence: "{whose} is `null`",
    next: "`{unset}sortie challenge login`",
  },
  {
    code: "login_damaged",
    what: "login",
    level: "bad",
    find: (seen) => findTokens(seen, ({ shape, answer }) => shape === "damaged" && answer !== "taken"),
    cause: "What stands for the login token is none: it was cut off, or something else was copied.",
    evidence: "{whose} is not three parts with dots between",
    next: "`{unset}sortie challenge login`",
  },
  {
    code: "login_elsewhere",
    what: "login",
    level: "bad",
    find: (seen) => findTokens(seen, ({ isElsewhere }) => isElsewhere),
    cause:
      "The login of the state file is of another address than the one that is asked, and is not shown there.",
    evidence: "{baseUrl} is asked; BASE_URL of {path} is another",
    next: "`sortie challenge login --base-url {baseUrl}`, or `unset SORTIE_CHALLENGE_URL`.",
  },
  {
    code: "login_stale_environment",
    what: "login",
    level: "bad",
    find: (seen) =>
      isLoggedIn(seen)
        ? findTokens(seen, ({ from, answer }) => from === "environment" && answer === "refused")
        : [],
    cause:
      "CHALLENGE_TOKEN of this shell's environment is stale, and goes before the good one of the state file.",
    evidence: "{said}; the token of {path} is taken",
    next: "`unset CHALLENGE_TOKEN`; a shell that is new sources the file again.",
  },
  {
    code: "login_expired",
    what: "login",
    level: "bad",
    find: (seen) => (isRefused(seen) && findRefused(seen)?.isExpired ? listRefused(seen) : []),
    cause: "The login token has expired, after its 12 hours or so.",
    evidence: "{said}; {whose} ended at {expiresAt}",
    next: "`sortie challenge refresh`, else `{unset}sortie challenge login`.",
  },
  {
    code: "login_refused",
    what: "login",
    level: "bad",
    find: (seen) => (isRefused(seen) && !findRefused(seen)?.isExpired ? listRefused(seen) : []),
    cause: "The login token is not one of this challenge: of another address, or made invalid since.",
    evidence: "{said} ({whose}, asked at {baseUrl})",
    next: "`{unset}sortie challenge login`",
  },
  {
    code: "login_maybe_expired",
    what: "login",
    level: "warning",
    find: (seen) => findTokens(seen, ({ answer, isExpired }) => answer === "unasked" && isExpired),
    cause: "The login token has expired by its own word; nobody could be asked.",
    evidence: "{whose} ended at {expiresAt}",
    next: "`sortie challenge refresh` when the challenge can be reached.",
  },
]);

function findTokens(seen: ContestSymptoms, isMeant: (token: TokenSymptoms) => boolean) {
  const { stateFile, api } = seen;
  return seen.tokens.filter(isMeant).map((token) => ({
    whose: nameToken(token, stateFile.path),
    unset: token.from === "environment" ? "unset CHALLENGE_TOKEN; " : "",
    said: token.said ?? "401",
    expiresAt: token.expiresAt ?? "an unknown time",
    ...{ path: stateFile.path, baseUrl: api.baseUrl },
  }));
}

function isRefused(seen: ContestSymptoms): boolean {
  return !isLoggedIn(seen) && findRefused(seen) !== undefined;
}

/** The token that would have been used had it been good. */
function findRefused({ tokens }: ContestSymptoms): TokenSymptoms | undefined {
  return tokens.find(({ answer, shape }) => answer === "refused" && shape === "good");
}

function listRefused(seen: ContestSymptoms) {
  const refused = findRefused(seen);
  return findTokens(seen, (token) => token === refused);
}

function nameToken({ from }: TokenSymptoms, path: string): string {
  return `CHALLENGE_TOKEN of ${from === "environment" ? "the environment" : path}`;
}
