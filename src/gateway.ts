/** The door `sortie/gateway`: to host a challenge. */
import type { GatewayConfig } from "./gateway/config/gateway-config.ts";
import type { Challenge, ChallengeOptions } from "./gateway/host/challenge-options.ts";

export type { Clock } from "./base/clock.ts";
export { SortieError } from "./base/error.ts";
export type { CaseEnd, CaseFailure, JobEnd } from "./gateway/case-end.ts";
export type { GatewayEvent, RefusalReason } from "./gateway/gateway-event.ts";
export {
  type GatewayFlags,
  type GatewayTimers,
  gatewayFlags,
  gatewayTimers,
  platformFlags,
} from "./gateway/gateway-flags.ts";
export type { Gateway, GatewayOptions, Job, JobSpec, TunnelView } from "./gateway/gateway-options.ts";
export type { CaseResult, CaseSpec, Policy, Simulator } from "./gateway/simulator.ts";
export { type EchoOptions, type EchoStep, makeEchoSimulator } from "./gateway/simulators/echo.ts";
export { makeReachSimulator, type ReachOptions } from "./gateway/simulators/reach.ts";
export { startGateway } from "./gateway/start-gateway.ts";
export type { Challenge, ChallengeOptions, GatewayConfig };

/**
 * Hosts a whole challenge; see `startChallenge` in `gateway/host`. What it needs, the HTTP server among it, is loaded with the
 * first call: an embedded gateway does without.
 */
export async function startChallenge(config: GatewayConfig, options?: ChallengeOptions): Promise<Challenge> {
  const host = await import("./gateway/host/start-challenge.ts");
  return host.startChallenge(config, options);
}

/** Reads a `gateway.yaml`. SortieError `gateway_config_missing`, `gateway_config_bad`, `file_unreadable`. */
export async function loadGatewayConfig(file: string): Promise<GatewayConfig> {
  const { loadGatewayConfig: load } = await import("./gateway/config/load-gateway-config.ts");
  return load(file);
}
