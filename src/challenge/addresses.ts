import { isLoopbackHost } from "../base/loopback.ts";

/** The fixed addresses of the challenge. Tests name their own, on this machine. */
export const DEFAULT_BASE_URL = "https://robocoliseum.ai";
export const DEFAULT_TUNNEL_URL = "ws://120.92.88.78/api/challenge/tunnel";

/** Whether the address leads to this machine and nowhere else. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}
