/** `null` is what a script writes that read no token out of a reply. */
export function isNoToken(token: string | undefined | null): boolean {
  return token === undefined || token === null || ["", "null", "undefined"].includes(token.trim());
}

/** Three parts of base64url with dots between them: it looks as a login token does. */
export function isJwt(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
}

/** When a login token says that it ends, by the clock of whoever made it; null where it says nothing that can be read. */
export function readExpiry(token: string): Date | null {
  if (!isJwt(token)) return null;
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    const { exp } = Object(claims) as { exp?: unknown };
    const end = typeof exp === "number" ? new Date(exp * 1000) : null;
    return end === null || Number.isNaN(end.getTime()) ? null : end;
  } catch {
    return null; // no JSON: the token is one that only its server can read
  }
}
