import { isIP } from "node:net";

/** The fixed addresses of the challenge. Tests name their own, on this machine. */
export const DEFAULT_BASE_URL = "https://robocoliseum.ai";
export const DEFAULT_TUNNEL_URL = "ws://120.92.88.78/api/challenge/tunnel";

/** Whether the address leads to this machine and nowhere else. */
export function isLoopbackUrl(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
