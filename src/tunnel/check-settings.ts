import { randomUUID } from "node:crypto";
import { type Clock, systemClock } from "../base/clock.ts";
import { SortieError } from "../base/error.ts";
import { showUrl } from "../base/show-url.ts";
import { findAgentIdFault } from "../wire/agent-id.ts";
import { type AgentOptions, type AgentTimers, agentTimers } from "./agent-options.ts";
import { parseGatewayUrl } from "./tunnel-address.ts";

/** The options of an agent, checked, and the defaults of those that were left out. */
export interface AgentSettings extends AgentOptions {
  readonly endpoint: URL;
  readonly agentId: string;
  readonly mayBeTaken: boolean;
  readonly validate: boolean;
  readonly strictFrames: boolean;
  readonly onFault: "error" | "close";
  readonly onStall: "wait" | "fresh-id";
  readonly timers: AgentTimers;
  readonly clock: Clock;
  readonly random: () => number;
}

/** SortieError `gateway_url_bad` or `agent_setting_bad`. */
export function checkSettings(options: AgentOptions): AgentSettings {
  const token = options.token.trim();
  const endpoint = parseGatewayUrl(options.gatewayUrl);
  checkJob(options.jobUuid);
  checkAgentId(options.agentId);
  checkToken(token);
  if (options.proxyUrl !== undefined) checkProxy(options.proxyUrl);
  return {
    ...options,
    token,
    endpoint,
    agentId: options.agentId ?? randomUUID(),
    mayBeTaken: options.mayBeTaken ?? options.agentId !== undefined,
    validate: options.validate ?? true,
    strictFrames: options.strictFrames ?? false,
    onFault: options.onFault ?? "error",
    onStall: options.onStall ?? "wait",
    timers: { ...agentTimers, ...options.timers },
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

function checkJob(jobUuid: string) {
  if (jobUuid.trim() !== "") return;
  refuse("The job", "is empty", "Give the uuid that came when the job was submitted.");
}

function checkAgentId(agentId: string | undefined) {
  if (agentId === undefined) return;
  const fault = findAgentIdFault(agentId);
  if (fault !== undefined) refuse("The agent id", fault, "Leave it out: the agent makes one of its own.");
}

/** What a header cannot hold would fail in the dial, with the token in the message. */
function checkToken(token: string) {
  const advice = "Give the job_token that came with the job, or log in and use the challenge token.";
  if (token === "" || token === "null") refuse("The token", "is empty", advice);
  if (!/^[\x21-\x7e]+$/.test(token))
    refuse("The token", "holds white space or other foreign characters", advice);
}

function checkProxy(proxyUrl: string) {
  if (/^https?:\/\/[^\s]+$/.test(proxyUrl) && URL.canParse(proxyUrl)) return;
  refuse(`The proxy ${showUrl(proxyUrl)}`, "is no http:// or https:// URL", "Write http://HOST:PORT.");
}

function refuse(what: string, reason: string, advice: string): never {
  throw new SortieError("agent_setting_bad", { what, reason, advice });
}
