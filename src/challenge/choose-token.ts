import { SortieError } from "../base/error.ts";
import { makePrintable } from "../base/printable.ts";
import type { StateFile } from "./state-file.ts";
import { isJwt, isNoToken } from "./token-shape.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface ChosenToken {
  readonly token: string;
  /** `job`: good for one job, for as long as it lives. `login`: a JWT, which ends after hours and can be refreshed. */
  readonly kind: "job" | "login";
  /** Which one it is and where it was found, for the log; its value is not in it. */
  readonly said: string;
}

/** Where to look, in this order. */
export interface TokenSources {
  /** The value of `--access-token`; empty is as good as none. */
  readonly given?: string;
  readonly env: Env;
  readonly state: StateFile;
}

/**
 * The token that an agent of this job dials with: the one given, else `SORTIE_ACCESS_TOKEN`, else the job's own, else the
 * login token; each of the last two from the environment, else from the state file.
 * @throws SortieError `token_missing`, `token_bad`
 */
export function chooseToken(jobUuid: string, sources: TokenSources): ChosenToken {
  const found = listTokens(jobUuid, sources).find(({ token }) => !isNoToken(token));
  if (found?.token === undefined)
    throw new SortieError("token_missing", {
      ...{ job: jobUuid, file: sources.state.path, reasons: describeReasons(jobUuid, sources) },
    });
  const token = found.token.trim();
  if (!/^[\x21-\x7e]+$/.test(token)) throw new SortieError("token_bad", { said: found.said });
  return { token, kind: found.kind ?? (isJwt(token) ? "login" : "job"), said: found.said };
}

interface Candidate {
  readonly token: string | undefined;
  readonly said: string;
  /** Absent: as it looks. */
  readonly kind?: "job" | "login";
}

function listTokens(jobUuid: string, { given, env, state }: TokenSources): Candidate[] {
  const { values, path } = state;
  const isOwn = env["JOB_UUID"] ? env["JOB_UUID"] === jobUuid : true;
  const isOwnInFile = values.JOB_UUID === jobUuid;
  return [
    { token: given, said: "the token of --access-token" },
    { token: env["SORTIE_ACCESS_TOKEN"], said: "the token of SORTIE_ACCESS_TOKEN" },
    {
      token: isOwn ? env["JOB_TOKEN"] : undefined,
      kind: "job",
      said: "the job's token, JOB_TOKEN of the environment",
    },
    {
      token: isOwnInFile ? values.JOB_TOKEN : undefined,
      kind: "job",
      said: `the job's token, JOB_TOKEN of ${path}`,
    },
    {
      token: env["CHALLENGE_TOKEN"],
      kind: "login",
      said: "the login token, CHALLENGE_TOKEN of the environment",
    },
    { token: values.CHALLENGE_TOKEN, kind: "login", said: `the login token, CHALLENGE_TOKEN of ${path}` },
  ];
}

/** What stood in the way of a token, as a list after the sentence. */
function describeReasons(
  jobUuid: string,
  { env, state: { values, path, warnings, unread } }: TokenSources,
): string {
  const own = env["JOB_UUID"] || jobUuid;
  const others = [
    !isNoToken(env["JOB_TOKEN"]) && own !== jobUuid && `JOB_TOKEN of the environment is of the job ${own}`,
    !isNoToken(values.JOB_TOKEN) && unread.JOB_UUID === undefined && describeOther(values.JOB_UUID, path),
  ];
  const reasons = [...warnings, ...others.filter((text) => text !== false)].map(makePrintable);
  return reasons.length === 0 ? "" : `: ${reasons.join("; ")}`;
}

function describeOther(jobUuid: string | undefined, path: string): string {
  const whose = jobUuid === undefined ? "it names no JOB_UUID" : `it is of the job ${jobUuid}`;
  return `JOB_TOKEN of ${path} is not taken: ${whose}`;
}
