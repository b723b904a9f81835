import { randomUUID } from "node:crypto";
import { SortieError } from "../../base/error.ts";
import { makePrintable } from "../../base/printable.ts";
import { checkJobUuid } from "../../challenge/check-job-uuid.ts";
import { type ChosenEndpoint, chooseEndpoint } from "../../challenge/choose-endpoint.ts";
import { type ChosenToken, chooseToken } from "../../challenge/choose-token.ts";
import { loadStateFile, type StateFile } from "../../challenge/state-file.ts";
import { type HandlerSpec, parseHandlerSpec } from "../../handlers/handler-spec.ts";
import type { PayloadKind } from "../../payload/observation.ts";
import { findAgentIdFault } from "../../wire/agent-id.ts";
import type { Environment } from "../desk.ts";
import { type ChosenProxy, chooseProxy } from "./choose-proxy.ts";

/** What a person asked for; what is left out has its default. */
export interface AgentWish {
  readonly handler: string;
  readonly jobUuid?: string;
  readonly gatewayUrl?: string;
  readonly accessToken?: string;
  /** Default: SORTIE_AGENT_ID, else a new UUID. */
  readonly agentId?: string;
  /** An index or UUID of this machine's, or `cpu`. */
  readonly gpu?: string;
  readonly python?: string;
  readonly payload?: PayloadKind;
  readonly validate?: boolean;
  readonly onFault?: "error" | "close";
  readonly onStall?: "wait" | "fresh-id";
  /** `env`, or an address. */
  readonly proxy?: string;
  /** A path. Default: `agent.jsonl` in the folder of the run that the agent is in, else none. */
  readonly events?: string;
  readonly strictFrames?: boolean;
  readonly drainTimeoutMs?: number;
  readonly loadTimeoutMs?: number;
}

/** A wish that can be followed, as far as that can be told before anything is started. */
export interface CheckedWish {
  readonly jobUuid: string;
  readonly agentId: string;
  readonly handler: HandlerSpec;
  readonly token: ChosenToken;
  readonly endpoint: ChosenEndpoint;
  readonly proxy: ChosenProxy;
  readonly state: StateFile;
}

/** @throws SortieError `job_missing`, `token_missing`, `gateway_url_bad`, `handler_spec_bad`, `value_bad` and their like */
export function checkWish(wish: AgentWish, { env, cwd }: { env: Environment; cwd: string }): CheckedWish {
  const jobUuid = checkJobUuid(wish.jobUuid);
  const state = loadStateFile(env);
  const endpoint = chooseEndpoint(jobUuid, { given: wish.gatewayUrl, env, state });
  return {
    jobUuid,
    agentId: chooseAgentId(wish, env),
    handler: parseHandlerSpec(wish.handler, cwd),
    token: chooseToken(jobUuid, { given: wish.accessToken, env, state }),
    endpoint,
    proxy: chooseProxy(wish.proxy, endpoint.url),
    state,
  };
}

/** That of a fleet's seat is not one that a person chose: it may be that of our own last link. */
function chooseAgentId({ agentId }: AgentWish, env: Environment): string {
  if (agentId !== undefined) return checkAgentId(agentId, "--agent-id");
  const given = env["SORTIE_AGENT_ID"];
  return given ? checkAgentId(given, "SORTIE_AGENT_ID") : randomUUID();
}

function checkAgentId(agentId: string, what: string): string {
  const fault = findAgentIdFault(agentId);
  if (fault === undefined) return agentId;
  throw new SortieError("value_bad", {
    what,
    value: JSON.stringify(makePrintable(agentId)),
    reason: `it ${fault}`,
    advice: "Leave it out: each agent makes an id of its own.",
  });
}
