import type { ChosenToken } from "../../challenge/choose-token.ts";
import { withoutMarks } from "../../runs/run-marks.ts";
import type { Environment } from "../desk.ts";
import type { FleetRunner } from "./fleet.ts";
import type { FleetJob } from "./fleet-terms.ts";

/** An agent needs one token; it gets no other, and no password. */
const SECRETS: readonly string[] = [
  "CHALLENGE_EMAIL",
  "CHALLENGE_PASSWORD",
  "CHALLENGE_TOKEN",
  "JOB_TOKEN",
  "SORTIE_ACCESS_TOKEN",
];

/**
 * The whole environment of an agent on this machine: the caller's, and the job with its token. On another host (`isHere:
 * false`) an agent has the environment of a login there, and this is laid over it. A launcher script finds the token where
 * the challenge's own one looks for it. Values of secrets are in it: for the private file of the run alone.
 */
export function makeAgentVariables(
  env: Environment,
  { jobUuid, endpoint, baseUrl }: FleetJob,
  runner: FleetRunner,
  { token, kind, isHere }: ChosenToken & { readonly isHere: boolean },
): Readonly<Record<string, string>> {
  return {
    ...(isHere ? withoutSecrets(withoutMarks(env)) : Object.fromEntries(SECRETS.map((name) => [name, ""]))),
    JOB_UUID: jobUuid,
    SIMUBOTIX_GATEWAY_URL: endpoint,
    ...(kind === "job" ? { JOB_TOKEN: token } : {}),
    ...(kind === "login" || runner.kind === "script" ? { CHALLENGE_TOKEN: token } : {}),
    // Where a login token is refreshed.
    ...(baseUrl === null ? {} : { SORTIE_CHALLENGE_URL: baseUrl }),
  };
}

function withoutSecrets(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.includes(name)));
}
