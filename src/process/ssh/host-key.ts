import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** What ssh says of a host whose key is not the one on record. */
export interface ChangedKey {
  /** `my-box` or `[10.0.0.1]:2222`: it may be a jump host on the way. */
  readonly name: string;
  /** FILE:LINE of the key on record. */
  readonly place: string;
  readonly file: string;
  /** `SHA256:… (ED25519)`. */
  readonly oldKey: string;
  readonly newKey: string;
}

/** Reads ssh's warning; null: there is none in it. The old key's fingerprint comes from the known_hosts file itself. */
export function readChangedKey(stderr: string, readFile = readText): ChangedKey | null {
  if (!stderr.includes("REMOTE HOST IDENTIFICATION HAS CHANGED")) return null;
  const shown = /The fingerprint for the (\S+) key sent by the remote host is\s+(\S+?)\.?\s*$/m.exec(stderr);
  const offending = /^Offending (?:\S+ )*key in (.+):(\d+)\s*$/m.exec(stderr);
  const name = /^Host key for (\S+) has changed/m.exec(stderr)?.[1];
  const file = offending?.[1] ?? "known_hosts";
  const line = Number(offending?.[2] ?? 0);
  return {
    name: name ?? "the host",
    place: offending ? `${file}:${line}` : file,
    file,
    oldKey: describeLine(readFile(file).split("\n")[line - 1] ?? ""),
    newKey: shown ? `${shown[2]} (${shown[1]})` : "one that ssh does not name",
  };
}

/** A line of known_hosts: markers, names, type, key. */
function describeLine(line: string): string {
  const words = line.trim().split(/\s+/);
  const [, type, key] = words[0]?.startsWith("@") ? words.slice(1) : words;
  if (!type || !key) return "one that cannot be read any more";
  const digest = createHash("sha256").update(Buffer.from(key, "base64")).digest("base64").replace(/=+$/, "");
  return `SHA256:${digest} (${type.replace(/^ssh-|^ecdsa-sha2-/, "").toUpperCase()})`;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // then only the new key can be told
  }
}
