import { createHmac } from "node:crypto";
import { listHosts, type SshAddress } from "./ssh-address.ts";

/** Texts of the person's own files; the caller reads them (`~/.ssh/config` with its includes, `known_hosts`). */
export interface HostFiles {
  readonly sshConfigs: readonly string[];
  readonly knownHosts: readonly string[];
}

/**
 * Whether the person already knows every host that a connection passes: by a `Host` or `Match host` pattern of the
 * ssh configuration that names something (`*` alone does not), or by a host key on record.
 */
export function isKnownHost(address: SshAddress, files: HostFiles): boolean {
  return listHosts(address).every(
    ({ host, port }) =>
      files.sshConfigs.some((text) => isConfigured(host, text)) ||
      files.knownHosts.some((text) => isOnRecord(host, port ?? 22, text)),
  );
}

/** The files that an ssh configuration includes, as written there. */
export function listIncludes(sshConfig: string): string[] {
  return readDirectives(sshConfig).flatMap(({ keyword, words }) => (keyword === "include" ? words : []));
}

function isConfigured(host: string, sshConfig: string): boolean {
  return readDirectives(sshConfig).some(({ keyword, words }) => {
    if (keyword === "host") return matchesPatterns(host, words);
    if (keyword !== "match") return false;
    return words.some(
      (word, index) =>
        /^(?:host|originalhost)$/i.test(word) && matchesPatterns(host, (words[index + 1] ?? "").split(",")),
    );
  });
}

function readDirectives(sshConfig: string): { keyword: string; words: string[] }[] {
  return sshConfig.split(/\r?\n/).flatMap((line) => {
    const directive = /^\s*([A-Za-z]+)(?:\s+|\s*=\s*)(.*?)\s*$/.exec(line);
    if (!directive) return [];
    const words = [...(directive[2] as string).matchAll(/"([^"]*)"|(\S+)/g)].map(
      (word) => word[1] ?? word[2] ?? "",
    );
    return [{ keyword: (directive[1] as string).toLowerCase(), words }];
  });
}

/** As ssh reads a list of patterns: one match is needed, and a match of a negated one excludes. */
function matchesPatterns(host: string, patterns: readonly string[]): boolean {
  if (patterns.some((pattern) => pattern.startsWith("!") && matchesPattern(host, pattern.slice(1))))
    return false;
  return patterns.some((pattern) => /[^*?!.]/.test(pattern) && matchesPattern(host, pattern));
}

/** `*` and `?` as in ssh; compared without case. Bounded work: each `*` only looks for the text behind it. */
function matchesPattern(host: string, pattern: string): boolean {
  const name = host.toLowerCase();
  const [first, ...parts] = pattern.toLowerCase().split("*") as [string, ...string[]];
  if (parts.length === 0) return name.length === first.length && isPartAt(name, first, 0);
  const last = parts.pop() as string;
  if (!isPartAt(name, first, 0)) return false;
  let from = first.length;
  for (const part of parts) {
    while (from + part.length <= name.length && !isPartAt(name, part, from)) from += 1;
    from += part.length;
  }
  return from <= name.length - last.length && isPartAt(name, last, name.length - last.length);
}

function isPartAt(name: string, part: string, at: number): boolean {
  if (at < 0 || at + part.length > name.length) return false;
  return [...part].every((character, index) => character === "?" || character === name[at + index]);
}

/** Looks a host up in a known_hosts text: plain names, patterns and hashed names; revoked keys do not count. */
function isOnRecord(host: string, port: number, knownHosts: string): boolean {
  const name = port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;
  return knownHosts.split(/\r?\n/).some((line) => {
    const words = line.trim().split(/\s+/);
    if (words[0] === undefined || words[0] === "" || words[0].startsWith("#") || words[0] === "@revoked")
      return false;
    const names = (words[0] === "@cert-authority" ? words[1] : words[0]) ?? "";
    return names.startsWith("|1|") ? isHashOf(name, names) : matchesPatterns(name, names.split(","));
  });
}

/** `|1|SALT|HASH`: HMAC-SHA1 of the name under the salt. */
function isHashOf(name: string, hashed: string): boolean {
  const [salt, hash] = hashed.slice(3).split("|");
  if (!salt || !hash) return false;
  return createHmac("sha1", Buffer.from(salt, "base64")).update(name).digest("base64") === hash;
}
