import { isIPv6 } from "node:net";

/** `203.0.113.7:8080`, `[2001:db8::7]:8080`; an IPv4 address that came as IPv6 is shown as what it is. */
export function formatAddress(host: string, port: number): string {
  const plain = host.replace(/^::ffff:(?=\d+\.)/i, "");
  return `${isIPv6(plain) ? `[${plain}]` : plain}:${port}`;
}
