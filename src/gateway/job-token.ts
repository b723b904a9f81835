import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * A token of 256 bits that opens the tunnels of one job. It is told once; the gateway keeps its hash. Hexadecimal, since a
 * program would take one that begins with a hyphen for an option.
 */
export function makeJobToken(): string {
  return randomBytes(32).toString("hex");
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Takes as long for a wrong token as for the right one. */
export function isTokenOf(hash: Buffer, token: string): boolean {
  return timingSafeEqual(hash, hashToken(token));
}
