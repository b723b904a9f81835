import { findGatewayUrlFault } from "../../base/gateway-url.ts";
import { makeShapeFault } from "./reply-shape.ts";
import type { ApiSession } from "./session.ts";

/** What agents dial, as the server says now; null where it says nothing, which may change. */
export async function loadTunnelEndpoint(session: ApiSession): Promise<string | null> {
  return session.get("tunnel/endpoint", { read: readEndpoint, bare: true });
}

/** Bare text, JSON text, or an object with one address in it. */
function readEndpoint(body: unknown): string | null {
  if (body === null || body === undefined) return null;
  if (typeof body === "object") {
    const texts = Object.values(body).filter((value) => typeof value === "string");
    const urls = texts.filter((text) => findGatewayUrlFault(text.trim()) === undefined);
    if (urls.length > 1) throw makeShapeFault("there is more than one address in it");
    const isEmpty = urls.length === 0 && texts.every((text) => text.trim() === "" || !text.includes("//"));
    return isEmpty ? null : readEndpoint(urls[0] ?? texts.find((text) => text.includes("//")));
  }
  const text = String(body).trim();
  if (text === "" || text === "null") return null;
  const fault = findGatewayUrlFault(text);
  if (fault !== undefined) throw makeShapeFault(`it is no address of a tunnel: ${fault}`);
  return text;
}
