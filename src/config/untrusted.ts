import type { CondaUse } from "./conda.ts";
import type { KeyName } from "./keys/table.ts";
import { listUncommonOptions } from "./ssh-address.ts";
import type { KeyValue, Target } from "./target.ts";

/** A line that would be run, or a host that would be dialled, on the word of a file alone. */
export interface UntrustedLine {
  readonly line: number;
  /** `key: value` as written, without comment. */
  readonly text: string;
}

export interface Untrusted {
  /** Absolute path; null for the local target that no section describes. */
  readonly file: string | null;
  readonly lines: readonly UntrustedLine[];
}

/**
 * What in a target's section needs a person's trust: shell text that is not a known form, uncommon options of ssh,
 * and, where `isHostKnown` is false, the host. The rest of a file is trusted by confirming the plan that shows it.
 */
export function listUntrusted(target: Target, { isHostKnown }: { isHostKnown: boolean }): Untrusted {
  const { file, values } = target.source;
  const names = new Set<KeyName>();
  for (const name of ["conda", "conda_env", "conda_hook", "activate"] as const) {
    const value = values.get(name)?.value as CondaUse | undefined;
    if (value !== undefined && "shell" in value) names.add(name);
  }
  if (listUncommonOptions(target.ssh?.options ?? []).length > 0)
    names.add(values.has("ssh") ? "ssh" : "ssh_host");
  if (target.ssh !== undefined && !isHostKnown) {
    for (const name of ["ssh", "ssh_host", "ssh_port", "ssh_user"] as const)
      if (values.has(name)) names.add(name);
  }
  const lines = [...names].map((name) => describeLine(values.get(name) as KeyValue));
  return { file, lines: lines.sort((a, b) => a.line - b.line) };
}

function describeLine({ line, label, text }: KeyValue): UntrustedLine {
  return { line, text: `${label}: ${text}` };
}
