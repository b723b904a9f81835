/**
 * A remote's URL without what may be secret in it: it can be shown and kept, and whoever has access of their own can
 * clone from it. A user name stays where ssh needs one; in `https://` it may be the token itself.
 */
export function cleanUrl(url: string): string {
  const [, scheme, rest = ""] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(url) ?? [];
  if (scheme === undefined) return url;
  const isSsh = /ssh$/i.test(scheme);
  const { user, place } = splitUser(rest);
  const kept = isSsh && user !== "" ? `${user.replace(/:.*$/s, "")}@` : "";
  const shown = /^(https?|ftps?)$/i.test(scheme) ? place.replace(/[?#].*$/s, "") : place;
  return `${scheme}://${kept}${shown}`;
}

/** The user's part ends at the last `@` before the path; a password that was typed with a `/` in it counts to its end. */
function splitUser(rest: string): { user: string; place: string } {
  const slash = rest.indexOf("/");
  const authority = slash === -1 ? rest : rest.slice(0, slash);
  const isBrokenPassword = /^[^@[\]]*:[^@]*[^0-9@][^@]*$/.test(authority) && rest.includes("@");
  const at = isBrokenPassword ? rest.lastIndexOf("@") : authority.lastIndexOf("@");
  return at === -1 ? { user: "", place: rest } : { user: rest.slice(0, at), place: rest.slice(at + 1) };
}

interface Place {
  /** null for a path of the machine itself. */
  readonly host: string | null;
  /** Its parts, in lower case, without `.git` at the end. */
  readonly path: string;
}

/**
 * Whether two URLs, as two machines write them, may name one repository: by ssh or by https, with a host's alias of an ssh
 * configuration or its full name, from the home folder or from the root. Two different full names never do.
 */
export function mayBeSameRemote(one: string, other: string): boolean {
  const [a, b] = [parsePlace(one), parsePlace(other)];
  if (a.host !== b.host && isFullName(a.host) && isFullName(b.host)) return false;
  return a.path === b.path || isEndOf(a.path, b.path) || isEndOf(b.path, a.path);
}

function parsePlace(url: string): Place {
  const [, scheme, rest = ""] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(url) ?? [];
  if (scheme !== undefined) {
    const { place } = splitUser(rest);
    const [, host = "", path = ""] = /^(\[[^\]]*\]|[^:/]*)(?::\d*)?(.*)$/s.exec(place) ?? [];
    return { host: host === "" ? null : host.toLowerCase(), path: makePathKey(path) };
  }
  const [, host, path] = /^(?:[^@/]*@)?(\[[^\]]+\]|[^:/@]+):(.*)$/s.exec(url) ?? [];
  if (host === undefined || path === undefined) return { host: null, path: makePathKey(url) };
  return { host: host.toLowerCase(), path: makePathKey(path) };
}

function makePathKey(path: string): string {
  return path
    .toLowerCase()
    .split("/")
    .filter((part) => part !== "" && part !== "~" && part !== ".")
    .join("/")
    .replace(/\.git$/, "");
}

/** Not an alias, and not an address: another name may stand for both. */
function isFullName(host: string | null): boolean {
  return host !== null && /\.[a-z][a-z0-9-]*$/.test(host);
}

function isEndOf(part: string, whole: string): boolean {
  return part !== "" && whole.endsWith(`/${part}`);
}
