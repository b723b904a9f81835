import type { IncomingMessage, Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { systemClock } from "../../base/clock.ts";
import { isWithin } from "../../base/is-within.ts";
import type { GatewayConfig, PolicyDialect } from "../config/gateway-config.ts";
import { formatAddress } from "../format-address.ts";
import { listen } from "../listen.ts";
import type { PolicyDoor } from "../policy-port/policy-door.ts";
import { policyPaths } from "../policy-port/policy-request.ts";
import type { TunnelDoor } from "../tunnel-door.ts";

export interface Doors {
  readonly tunnel: TunnelDoor;
  readonly policy: PolicyDoor;
}

/** What a request that is being answered may still take when its server closes. */
const LAST_ANSWERS_MS = 1_000;

const dialects: readonly PolicyDialect[] = ["openpi", "corobot"];

/** Sends an upgrade of the common listener to the door that its path names. */
export function routeUpgrade(doors: Doors, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const path = request.url?.split("?", 1)[0];
  const dialect = dialects.find((name) => policyPaths[name] === path);
  if (dialect === undefined) doors.tunnel.receive(request, socket, head);
  else doors.policy.receive(dialect, request, socket, head);
}

/** Listens for clients of one dialect that know host and port alone. Not at all where the configuration names no place. */
export async function listenForPolicies(
  { policy }: GatewayConfig,
  door: PolicyDoor,
  onFault: (fault: Error) => void,
): Promise<Partial<Record<PolicyDialect, Server>>> {
  const servers: Partial<Record<PolicyDialect, Server>> = {};
  for (const dialect of dialects) {
    const place = policy[dialect];
    if (place === undefined) continue;
    const server = createServer((_, response) => response.writeHead(426).end());
    server.on("upgrade", (request, socket, head) => door.receive(dialect, request, socket, head));
    try {
      await listen(server, place, onFault);
    } catch (fault) {
      await Promise.all(Object.values(servers).map(closeServer));
      throw fault;
    }
    servers[dialect] = server;
  }
  return servers;
}

/** `http://HOST:PORT`, as one connects to it: a server on every address is on this machine's own. */
export function findUrl(server: Server, scheme: "http" | "ws"): string {
  const { address, port } = server.address() as AddressInfo;
  const host = address === "0.0.0.0" ? "127.0.0.1" : address === "::" ? "::1" : address;
  return `${scheme}://${formatAddress(host, port)}`;
}

/** Lets nobody in any more, and what was asked be answered, for a second. Resolves when every socket is gone. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  if (!(await isWithin(closed, LAST_ANSWERS_MS, systemClock))) server.closeAllConnections();
  await closed;
}
