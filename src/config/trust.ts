import { createHash } from "node:crypto";
import { SortieError } from "../base/error.ts";
import { writeFileAtomic } from "../disk/atomic-file.ts";
import { readConfigFile } from "./read-file.ts";
import type { Untrusted, UntrustedLine } from "./untrusted.ts";

/** Which lines of which project file a person has trusted: sha256 of each line's text, by the file's path. */
export type Trust = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads trust.json; absent, nothing is trusted. Throws `file_unreadable` for a damaged one, which is left as it is. */
export function loadTrust(path: string): Trust {
  const reading = readConfigFile(path);
  if (reading.state === "absent") return new Map();
  if (reading.state !== "text") throw refuse(path, reading.reason);
  let document: unknown;
  try {
    document = JSON.parse(reading.text);
  } catch (fault) {
    throw refuse(path, "it is not JSON", fault);
  }
  if (!isTrustDocument(document)) throw refuse(path, "it is not a list of trusted lines");
  return new Map(Object.entries(document.trusted).map(([file, hashes]) => [file, new Set(hashes)]));
}

/** Adds lines to trust.json (mode 0600), and gives back what is trusted now. Throws `file_unreadable`, `home_unwritable`. */
export function saveTrust(path: string, untrusted: Untrusted): Trust {
  const trust = new Map(loadTrust(path));
  const { file, lines } = untrusted;
  if (file === null) return trust;
  trust.set(file, new Set([...(trust.get(file) ?? []), ...lines.map(hashLine)]));
  const trusted = Object.fromEntries([...trust].map(([name, hashes]) => [name, [...hashes]]));
  writeFileAtomic(path, `${JSON.stringify({ schema: 1, trusted }, null, 2)}\n`, { mode: 0o600 });
  return trust;
}

/** Those of the lines that are not trusted yet. A line that moved stays trusted, one that changed does not. */
export function removeTrusted(trust: Trust, untrusted: Untrusted): Untrusted {
  const { file, lines } = untrusted;
  const known = file === null ? undefined : trust.get(file);
  return { file, lines: lines.filter((line) => !known?.has(hashLine(line))) };
}

function hashLine({ text }: UntrustedLine): string {
  return createHash("sha256").update(text).digest("hex");
}

function isTrustDocument(document: unknown): document is { trusted: Record<string, string[]> } {
  if (typeof document !== "object" || document === null || !("trusted" in document)) return false;
  const { trusted } = document;
  if (typeof trusted !== "object" || trusted === null || Array.isArray(trusted)) return false;
  return Object.values(trusted).every(
    (hashes) => Array.isArray(hashes) && hashes.every((hash) => typeof hash === "string"),
  );
}

function refuse(path: string, reason: string, cause?: unknown): SortieError {
  const advice = "Move it aside; `sortie trust` then writes a new one.";
  return new SortieError("file_unreadable", { path, reason, advice }, cause);
}
