import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A token of 256 bits that opens the tunnels of one job. It is told once; the gateway keeps its hash. */
export function makeJobToken(): string {
  return randomBytes(32).toString("base64url");
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Takes as long for a wrong token as for the right one. */
export function isTokenOf(hash: Buffer, token: string): boolean {
  return timingSafeEqual(hash, hashToken(token));
}
