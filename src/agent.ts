/** The door `sortie/agent`: to serve a policy as an agent. Thin until the tunnel is built. */
export { SortieError } from "./base/error.ts";
export type { HandlerOptions, StartedHandler } from "./handlers/handler-options.ts";
export { startHandler } from "./handlers/start-handler.ts";
export type { AgentState } from "./wire/agent-states.ts";
export type { FrameHandler } from "./wire/handler.ts";
