import { makePrintable } from "./printable.ts";

/**
 * An address for people and logs: `wss://…@host:8443/tunnel`, without user, password, query and fragment, which may be
 * secret. Takes any text, since what cannot be read as a URL is shown too. A `/`, `?` or `#` may stand in a password as it
 * was typed: so all before the last `@` is left out, and what could be password or query is not shown at all.
 */
export function showUrl(url: string | URL): string {
  const [, scheme = "", rest = ""] = /^\s*([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(String(url)) ?? [];
  const at = rest.lastIndexOf("@");
  const query = rest.search(/[?#]/);
  if (query !== -1 && query < at) return makePrintable(`${scheme}…`);
  const user = at === -1 ? "" : "…@";
  return makePrintable(scheme + user + rest.slice(at + 1, query === -1 ? undefined : query).trimEnd());
}
