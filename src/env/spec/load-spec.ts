import { checkSpec } from "./check-spec.ts";
import type { LoadedSpec } from "./env-spec.ts";
import { findSecrets } from "./find-secrets.ts";
import { type HashedYaml, hashSpecText, readAndHash } from "./hash-spec.ts";
import { readSpecText } from "./read-spec-text.ts";
import { makeRefuse } from "./refusal.ts";

/** Reads, checks and hashes a specification. @throws spec_missing, spec_unreadable, spec_bad */
export function loadSpec(file: string): LoadedSpec {
  return parseSpec(readSpecText(file), { file });
}

/** The same for its text; `.json` files are read as YAML as well, as Python's loader does. @throws spec_bad */
export function parseSpec(text: string, { file }: { readonly file: string }): LoadedSpec {
  const { value, hash, warnings } = readAndHash(text, file);
  const spec = checkSpec(value, makeRefuse(file));
  const secrets = findSecrets(value);
  const aboutSecrets = secrets.map(
    ({ at, line, look }) =>
      `${file}, line ${line}: ${at} looks like a secret (${look}). A specification is shared: leave the value out, and give it by --env-file.`,
  );
  return {
    file,
    spec,
    hash,
    warnings: [...warnings, ...aboutSecrets],
    secrets: secrets.map(({ at, line }) => ({ at, line })),
  };
}

/** The hash of any YAML file, be it a specification or not. @throws spec_missing, spec_unreadable, spec_bad */
export function hashSpecFile(file: string): HashedYaml {
  return hashSpecText(readSpecText(file), { file });
}
