import { join } from "node:path";
import type { Environment } from "../desk.ts";
import type { RehearseOptions } from "./rehearse-options.ts";

/** What every agent of a rehearsal is started with. */
export interface AgentCall {
  readonly jobUuid: string;
  readonly gatewayUrl: string;
  readonly token: string;
  /** Where logs and events go. */
  readonly folder: string;
}

/** Of the person's own challenge: they would lead an agent elsewhere. */
const foreign = [
  ...["CHALLENGE_PASSWORD", "CHALLENGE_EMAIL", "SORTIE_ACCESS_TOKEN", "SORTIE_CHALLENGE_URL"],
  ...["SIMUBOTIX_GATEWAY_URL", "AGENT_ID", "JOB_ID"],
];

/** Arguments and environment of one agent: the token is in the environment alone. */
export function makeAgentCall(
  options: RehearseOptions,
  call: AgentCall,
  { number, mark, gpu }: { readonly number: number; readonly mark: string; readonly gpu?: string },
): { argv: string[]; env: Environment } {
  const argv =
    options.agentCommand === undefined
      ? makeOwnCall(options, call, number, gpu)
      : [
          "sh",
          "-c",
          `exec ${options.agentCommand} "$@"`,
          "agent",
          gpu ?? "cpu",
          call.jobUuid,
          call.gatewayUrl,
        ];
  return { argv, env: makeEnvironment(options, call, mark) };
}

/** Answers are not checked by the agent: the rehearsal is to see them as they are. */
function makeOwnCall(
  { self, handler = "", python, payload }: RehearseOptions,
  { jobUuid, gatewayUrl, folder }: AgentCall,
  number: number,
  gpu: string | undefined,
): string[] {
  return [
    ...[...self, "agent", "--job-uuid", jobUuid, "--gateway-url", gatewayUrl, "--handler", handler],
    ...["--no-validate", "--payload", payload, "--events", join(folder, `agent-${number}.jsonl`)],
    ...(python === undefined ? [] : ["--python", python]),
    ...(gpu === undefined ? [] : ["--gpu", gpu]),
  ];
}

function makeEnvironment(
  { env, handler, board }: RehearseOptions,
  call: AgentCall,
  mark: string,
): Environment {
  const [name, value] = mark.split("=") as [string, string];
  return {
    ...Object.fromEntries(Object.entries(env).filter(([key]) => !foreign.includes(key))),
    ...(handler === undefined ? {} : { SORTIE_HANDLER: handler }),
    ...{ JOB_UUID: call.jobUuid, JOB_TOKEN: call.token, CHALLENGE_TOKEN: call.token },
    ...{ TUNNEL_ENDPOINT: call.gatewayUrl, SORTIE_BOARD: board, PYTHONUNBUFFERED: "1", [name]: value },
  };
}
