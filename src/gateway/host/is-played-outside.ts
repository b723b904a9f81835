import type { GatewayConfig } from "../config/gateway-config.ts";

/** Whether simulators from outside play a board: they go on where they were, whatever becomes of the gateway. */
export function isPlayedOutside({ boards }: GatewayConfig, board: string): boolean {
  return boards.find(({ name }) => name === board)?.simulator === "outside";
}
