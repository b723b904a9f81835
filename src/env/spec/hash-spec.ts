import { createHash } from "node:crypto";
import { formatPythonJson } from "./python-json.ts";
import { makeRefuse } from "./refusal.ts";
import { makeValue } from "./yaml/make-value.ts";
import { readDocument } from "./yaml/read-document.ts";
import type { YamlValue } from "./yaml/value.ts";

/** Any YAML text as Python's yaml.safe_load reads it, with its hash. */
export interface HashedYaml {
  /** The first 8 hex digits of the sha256 of `canonical`. */
  readonly hash: string;
  readonly canonical: string;
  /** For people, each with its line. */
  readonly warnings: readonly string[];
}

/**
 * Hashes what `json.dumps(yaml.safe_load(text), sort_keys=True, separators=(",", ":"))` gives, be it a specification or not.
 * @throws spec_bad with the line, for what Python refuses
 */
export function hashSpecText(text: string, { file }: { readonly file: string }): HashedYaml {
  const { value: _, ...hashed } = readAndHash(text, file);
  return hashed;
}

/** The same with the value itself. */
export function readAndHash(text: string, file: string): HashedYaml & { readonly value: YamlValue } {
  const refuse = makeRefuse(file);
  const warnings: string[] = [];
  const root = readDocument(text, refuse);
  const warn = (line: number, words: string) => void warnings.push(`${file}, line ${line}: ${words}.`);
  const value = root === null ? null : makeValue(root, refuse, warn);
  const canonical = formatPythonJson(value, refuse);
  const hash = createHash("sha256").update(canonical, "ascii").digest("hex").slice(0, 8);
  return { hash, canonical, warnings, value };
}
