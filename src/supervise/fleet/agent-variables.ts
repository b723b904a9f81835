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
 * The whole environment of an agent: the caller's, and the job with its token. A launcher script finds the token where the
 * challenge's own one looks for it. Values of secrets are in it: for the private file of the run alone.
 */
export function makeAgentVariables(
  env: Environment,
  { jobUuid, endpoint, baseUrl }: FleetJob,
  runner: FleetRunner,
  { token, kind }: ChosenToken,
): Readonly<Record<string, string>> {
  const kept = Object.entries(withoutMarks(env)).filter(([name]) => !SECRETS.includes(name));
  return {
    ...Object.fromEntries(kept),
    JOB_UUID: jobUuid,
    SIMUBOTIX_GATEWAY_URL: endpoint,
    ...(kind === "job" ? { JOB_TOKEN: token } : {}),
    ...(kind === "login" || runner.kind === "script" ? { CHALLENGE_TOKEN: token } : {}),
    // Where a login token is refreshed.
    ...(baseUrl === null ? {} : { SORTIE_CHALLENGE_URL: baseUrl }),
  };
}
