import { keepFrameMemory } from "../wire/frame-memory.ts";
import { AgentLife } from "./agent-life.ts";
import type { Agent, AgentOptions } from "./agent-options.ts";
import { checkSettings } from "./check-settings.ts";

/**
 * Starts an agent: it dials the gateway, serves what comes until it is drained, and comes back after every cut. Whatever
 * goes wrong afterwards is told by `ended`.
 * @throws SortieError `gateway_url_bad`, `agent_setting_bad`
 */
export function startAgent(options: AgentOptions): Agent {
  keepFrameMemory();
  const life = new AgentLife(checkSettings(options));
  life.start();
  return life;
}
