import { createHmac, timingSafeEqual } from "node:crypto";

/** How long a link to a video is good (PROTOCOL 1.2). */
export const LINK_LIFE_S = 8 * 3600;

/** What makes the link to an episode good without a login, until it expires. In the query of the link. */
export interface LinkSeal {
  /** Seconds since 1970. */
  readonly expires: number;
  /** Hexadecimal. */
  readonly signature: string;
}

export function sealLink(key: Uint8Array, episode: string, now: Date): LinkSeal {
  const expires = Math.floor(now.getTime() / 1000) + LINK_LIFE_S;
  return { expires, signature: signLink(key, episode, expires).toString("hex") };
}

/** Takes as long for a wrong signature as for the right one. */
export function isSealGood(key: Uint8Array, episode: string, seal: LinkSeal, now: Date): boolean {
  const signature = Buffer.from(seal.signature, "hex");
  const expected = signLink(key, episode, seal.expires);
  const isSigned = signature.length === expected.length && timingSafeEqual(signature, expected);
  return isSigned && now.getTime() < seal.expires * 1000;
}

/** The line's end keeps these texts apart from those of login tokens, which the same key signs. */
function signLink(key: Uint8Array, episode: string, expires: number): Buffer {
  return createHmac("sha256", key).update(`episode head\n${episode}\n${expires}`).digest();
}
