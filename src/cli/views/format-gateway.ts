import { makePrintable } from "../../base/printable.ts";
import type { FirstCommand } from "../../supervise/host/first-commands.ts";

export interface GatewayDocument {
  readonly api: string;
  readonly tunnel: string;
  readonly policy: Readonly<Record<"openpi" | "corobot", string | null>>;
  readonly dataFolder: string;
  readonly pid: number;
}

/** Where a gateway that has begun can be reached, and what to type first. */
export function formatGateway(gateway: GatewayDocument, first: readonly FirstCommand[]): string[] {
  const { api, tunnel, policy, dataFolder, pid } = gateway;
  const rows: [string, string | null][] = [
    ["API", api],
    ["tunnel", tunnel],
    ["openpi", policy.openpi],
    ["corobot", policy.corobot],
    ["data", dataFolder],
    ["process", String(pid)],
  ];
  return [
    "The gateway listens.",
    ...rows.flatMap(([label, value]) =>
      value === null ? [] : `  ${label.padEnd(9)}${makePrintable(value)}`,
    ),
    "",
    "First, in another shell:",
    ...first.flatMap(({ what, command }) => [`  # ${what}`, `  ${makePrintable(command)}`]),
  ];
}
