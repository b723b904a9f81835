import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { loadGatewayConfig } from "../../gateway/config/load-gateway-config.ts";
import { CONFIG_FILE } from "./init-gateway.ts";

export type { GatewayConfig };

/**
 * The configuration of that file, default `gateway.yaml` of this folder.
 * @throws gateway_config_missing, gateway_config_bad, file_unreadable
 */
export function loadHostConfig(file = CONFIG_FILE): GatewayConfig {
  return loadGatewayConfig(file);
}
