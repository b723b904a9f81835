import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { type AgentRow, listAgents } from "../../gateway/records/agents.ts";
import { isGatewayRunning, readRecords } from "./open-data.ts";

export interface AgentsNow {
  /** Whether a gateway works on the data folder. */
  readonly running: boolean;
  /** As the gateway saw them last; nobody is connected to one that does not run. */
  readonly agents: readonly AgentRow[];
}

export async function loadAgents({ dataFolder }: GatewayConfig): Promise<AgentsNow> {
  const running = isGatewayRunning(dataFolder);
  const agents = await readRecords(dataFolder, listAgents, () => []);
  return {
    running,
    agents: agents.map((agent) => ({ ...agent, isConnected: running && agent.isConnected })),
  };
}
