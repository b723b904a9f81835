import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { listSimulatorKeys, type SimulatorKeyRow } from "../../gateway/records/simulator-keys.ts";
import { readRecords } from "./open-data.ts";

/** Keys that open a board, without the keys themselves, which nobody has but who was told. */
export async function loadSimulators({ dataFolder }: GatewayConfig): Promise<SimulatorKeyRow[]> {
  return readRecords(dataFolder, listSimulatorKeys, () => []);
}
