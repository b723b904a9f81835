import { quotePath } from "../../base/quote.ts";
import { makeSettings } from "../../base/script.ts";

/** One environment on a host. */
export interface EnvironmentKey {
  /** Absolute, or from `~/` on. */
  readonly envsDir: string;
  readonly name: string;
  readonly hash: string;
}

/** The head of every script about one environment. `inputs`: 8 digits, null for a spec without files, undefined where any will do. */
export function makeBuildSettings(
  { envsDir, name, hash }: EnvironmentKey,
  inputs?: string | null | undefined,
): string {
  const settings = makeSettings({
    sortie_name: name,
    sortie_hash: hash,
    sortie_inputs: inputs === undefined ? "" : (inputs ?? "none"),
  });
  return `sortie_envs=${quotePath(envsDir)}\n${settings}`;
}
