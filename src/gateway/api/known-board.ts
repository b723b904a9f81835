import { Type } from "@sinclair/typebox";
import type { BoardConfig, GatewayConfig } from "../config/gateway-config.ts";
import { Refusal } from "./refusal.ts";

export const boardName = Type.String({ description: "The name of a board." });

/** @throws Refusal in the platform's words */
export function findBoard({ boards }: Pick<GatewayConfig, "boards">, name: string): BoardConfig {
  const board = boards.find((known) => known.name === name);
  if (board === undefined) throw new Refusal(400, "invalid board");
  return board;
}
