import { createHmac } from "node:crypto";

/**
 * The signature of a custom bot: HMAC-SHA256 of nothing, its key being the time in seconds, a line break and the secret.
 * Source: the vendor's "Custom bot usage guide", Signature verification.
 */
export function makeSignature(
  secret: string,
  now: Date,
): { readonly timestamp: string; readonly sign: string } {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  return { timestamp, sign: createHmac("sha256", `${timestamp}\n${secret}`).digest("base64") };
}
