import { makePrintable } from "../../base/printable.ts";
import type { FirstCommand } from "../../supervise/host/first-commands.ts";

export interface GatewayDocument {
  readonly api: string;
  readonly tunnel: string;
  readonly policy: Readonly<Record<"openpi" | "corobot", string | null>>;
  readonly dataFolder: string;
  readonly pid: number;
}

export interface GatewayHelp {
  /** What to type first. */
  readonly first: readonly FirstCommand[];
  /** Boards of which a simulator without a key has to name one: its client may not show the reason of a refusal. */
  readonly openBoards: readonly string[];
}

/** Where a gateway that has begun can be reached, and what to type first. */
export function formatGateway(gateway: GatewayDocument, { first, openBoards }: GatewayHelp): string[] {
  const { api, tunnel, policy, dataFolder, pid } = gateway;
  const rows: [string, string | null][] = [
    ["API", api],
    ["tunnel", tunnel],
    ["openpi", policy.openpi],
    ["corobot", policy.corobot],
    ["", openBoards.length > 1 ? describeChoice(openBoards) : null],
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

function describeChoice(boards: readonly string[]): string {
  const queries = boards.map((board) => `?board=${encodeURIComponent(board)}`);
  return `simulators without a key add to the address ${queries.join(" or ")}`;
}
