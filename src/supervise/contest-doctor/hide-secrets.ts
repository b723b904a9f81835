import { makePrintable } from "../../base/printable.ts";
import type { StateFile } from "../../challenge/state-file.ts";
import { Secrets } from "../../tunnel/secrets.ts";
import type { Environment } from "../desk.ts";

const VARIABLES = ["JOB_TOKEN", "CHALLENGE_TOKEN", "SORTIE_ACCESS_TOKEN", "CHALLENGE_PASSWORD"];
/** Tokens that nobody here knows, in the log of an agent that printed its own: login tokens, our gateway's job tokens. */
const TOKENS = /\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]{4,}|\b[0-9a-f]{64}\b|(?<=\bBearer |--access-token[ =])\S+/gi;

/** Takes the secrets that are known here, and what looks like a token, out of text from logs and servers; one line. */
export function makeCleaner(
  env: Environment,
  { values }: StateFile,
  ...more: readonly string[]
): (text: string) => string {
  const known = VARIABLES.map((name) => env[name]?.trim() ?? "");
  const secrets = new Secrets(...known, ...more, values.JOB_TOKEN ?? "", values.CHALLENGE_TOKEN ?? "");
  return (text) => makePrintable(secrets.clean(text).replace(TOKENS, "[token]").replace(/\s+/g, " ").trim());
}
