/** The door `sortie/agent`: to serve a policy as an agent. It starts no process and needs no GPU. Thin until the tunnel is built. */
export { SortieError } from "./base/error.ts";
export type { AgentState } from "./wire/agent-states.ts";
export type { FrameHandler } from "./wire/handler.ts";
