import { SortieError } from "../base/error.ts";
import { findGatewayUrlFault } from "../base/gateway-url.ts";
import { isLoopbackHost } from "../base/loopback.ts";
import { makePrintable } from "../base/printable.ts";
import { showUrl } from "../base/show-url.ts";

/** The endpoint of a gateway; SortieError `gateway_url_bad`. */
export function parseGatewayUrl(text: string): URL {
  const reason = findGatewayUrlFault(text.trim());
  if (reason === undefined) return new URL(text.trim());
  throw new SortieError("gateway_url_bad", { url: showUrl(text) || "(nothing)", reason });
}

/** Where an agent dials: the endpoint with its own query kept, and the pair that the agent is known by. */
export function makeDialUrl(endpoint: URL, pair: { jobUuid: string; agentId: string }): URL {
  const url = new URL(endpoint);
  url.searchParams.set("job", pair.jobUuid);
  url.searchParams.set("agent", pair.agentId);
  return url;
}

/** Whether token and pictures would cross a network readably: `ws:` to any host but this one. */
export function isInClear(url: URL): boolean {
  return url.protocol === "ws:" && !isLoopbackHost(url.hostname);
}

/**
 * Where a redirect leads, or why it is not followed. The token goes along, so it must be the same host, by no less safe a
 * scheme, and no other port but the safe scheme's own.
 */
export function followRedirect(from: URL, location: string): URL | string {
  const to = readUrl(location.replace(/^http(s?):/i, "ws$1:"), from);
  if (to === undefined)
    return `it redirects to ${makePrintable(location.slice(0, 200))}, which is no address`;
  const shown = showUrl(to);
  if (to.protocol !== "ws:" && to.protocol !== "wss:") return `it redirects to ${shown}`;
  if (to.hostname !== from.hostname)
    return `it redirects to another host, ${shown}; the token was not sent there`;
  if (from.protocol === "wss:" && to.protocol === "ws:") return `it redirects to ${shown}, which is in clear`;
  const isUpgrade = from.protocol === "ws:" && to.protocol === "wss:" && from.port === "" && to.port === "";
  if (to.protocol !== from.protocol ? !isUpgrade : to.port !== from.port)
    return `it redirects to another port, ${shown}; the token was not sent there`;
  for (const [name, value] of from.searchParams)
    if (!to.searchParams.has(name)) to.searchParams.set(name, value);
  return to;
}

function readUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined; // no URL, as announced
  }
}
