// No i, l, o, u: an id can be read aloud and typed without mistaking a letter.
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** A random id of ten characters (50 bits) behind a letter that says what it names: `r` a run, `p` a plan, `f` a fleet. */
export function makeId(kind: "r" | "p" | "f"): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(10));
  return kind + Array.from(bytes, (byte) => ALPHABET[byte & 31]).join("");
}

/** A marker that no other program's output holds by chance (80 bits). */
export function makeToken(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => ALPHABET[byte & 31]).join("");
}
