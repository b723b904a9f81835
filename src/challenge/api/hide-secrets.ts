/** Longer texts are nothing to look through for what may be a token. */
const MOST_SEARCHED = 4_000;

/**
 * The start of a text of a server without these secrets, however it writes them, and without what looks like a token: a reply
 * that is cut or odd may have a new one in it.
 */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret !== "").flatMap(listSpellings);
  return known
    .reduce((shown, secret) => shown.replaceAll(secret, "…"), text)
    .slice(0, MOST_SEARCHED)
    .replace(/("[^"]*token[^"]*"\s*:\s*")(?!…)[^"]*/gi, "$1…")
    .replace(/[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, "…");
}

/** As it is, in JSON, and in an address as others and as we write it. */
function listSpellings(secret: string): string[] {
  const inQuery = new URLSearchParams([["", secret]]).toString().slice(1);
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), inQuery];
}
