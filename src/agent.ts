import type { HandlerOptions, StartedHandler } from "./handlers/handler-options.ts";

/** The door `sortie/agent`: to serve a policy as an agent of a challenge gateway. It starts no process and needs no GPU. */
export { SortieError } from "./base/error.ts";
export type { HandlerOptions, StartedHandler } from "./handlers/handler-options.ts";
export type { PayloadKind } from "./payload/observation.ts";
export {
  type Agent,
  type AgentEnd,
  type AgentEventRecord,
  type AgentLogLine,
  type AgentOptions,
  type AgentTimers,
  agentTimers,
} from "./tunnel/agent-options.ts";
export type { AgentReport, Percentiles } from "./tunnel/agent-report.ts";
export { startAgent } from "./tunnel/start-agent.ts";
export type { AgentState } from "./wire/agent-states.ts";
export type { FrameHandler } from "./wire/handler.ts";

/**
 * A handler from a file, in a worker thread or a Python process; whoever has an object with the functions of a
 * `FrameHandler` needs none. Only this call loads code that starts processes.
 * @throws SortieError `handler_spec_bad`, `handler_not_found`, `handler_import_failed` and their like
 */
export async function startHandler(options: HandlerOptions): Promise<StartedHandler> {
  const handlers = await import("./handlers/start-handler.ts");
  return handlers.startHandler(options);
}
