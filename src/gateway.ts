/** The door `sortie/gateway`: to host a challenge. */
export { SortieError } from "./base/error.ts";
export type { GatewayEvent, RefusalReason } from "./gateway/gateway-event.ts";
export {
  type CaseEnd,
  type CaseFailure,
  type Gateway,
  type GatewayFlags,
  type GatewayOptions,
  type GatewayTimers,
  gatewayFlags,
  gatewayTimers,
  type Job,
  type JobEnd,
  type JobSpec,
  platformFlags,
  type TunnelView,
} from "./gateway/gateway-options.ts";
export type { CaseResult, CaseSpec, Policy, Simulator } from "./gateway/simulator.ts";
export { type EchoOptions, type EchoStep, makeEchoSimulator } from "./gateway/simulators/echo.ts";
export { makeReachSimulator, type ReachOptions } from "./gateway/simulators/reach.ts";
export { startGateway } from "./gateway/start-gateway.ts";
