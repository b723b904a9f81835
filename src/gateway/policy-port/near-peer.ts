import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import { isLoopbackHost } from "../../base/loopback.ts";

/** What proxies add: behind one, every peer looks as if it were on this machine. */
const proxyHeaders = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/** Whether a dial surely comes from a program on this machine: past no proxy, and out of no page in a browser. */
export function isNearPeer({ socket, headers }: IncomingMessage): boolean {
  const address = (socket.remoteAddress ?? "").replace(/^::ffff:(?=\d+\.)/i, "");
  if (headers.origin !== undefined || proxyHeaders.some((name) => headers[name] !== undefined)) return false;
  return isLoopbackHost(isIPv6(address) ? `[${address}]` : address);
}
