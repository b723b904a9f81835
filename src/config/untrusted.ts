import type { Activation, CondaHook, CondaUse } from "./conda.ts";
import type { KeyName } from "./keys/table.ts";
import { isProjectFile, listProjectFolders, type ProjectPlace } from "./project-folders.ts";
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
 * What in a target's section needs a person's trust: shell text that is not a known form, a program or script that
 * came with the project itself, uncommon options of ssh, and, where `isHostKnown` is false, the host. The rest of a
 * file is trusted by confirming the plan that shows it.
 */
export function listUntrusted(
  target: Target,
  { isHostKnown, place }: { isHostKnown: boolean; place: ProjectPlace },
): Untrusted {
  const { file, values } = target.source;
  const names = new Set<KeyName>(listOwnPrograms(target, place));
  if (listUncommonOptions(target.ssh?.options ?? []).length > 0)
    names.add(values.has("ssh") ? "ssh" : "ssh_host");
  if (target.ssh !== undefined && !isHostKnown) {
    for (const name of ["ssh", "ssh_host", "ssh_port", "ssh_user"] as const)
      if (values.has(name)) names.add(name);
  }
  const lines = [...names].map((name) => describeLine(values.get(name) as KeyValue));
  return { file, lines: lines.sort((a, b) => a.line - b.line) };
}

/** Keys whose value would run the project's own text or files before anybody has confirmed a plan. */
function listOwnPrograms(target: Target, place: ProjectPlace): KeyName[] {
  const { file, values } = target.source;
  // On another host the project lies in its code folder.
  const folders = target.kind === "local" ? listProjectFolders(place, file) : [target.codeDir ?? []].flat();
  const home = target.kind === "local" ? place.home : "~";
  return (["conda", "conda_env", "conda_hook", "activate"] as const).filter((name) => {
    const value = values.get(name)?.value as Activation | CondaUse | CondaHook | undefined;
    if (value === undefined) return false;
    return "shell" in value || listPrograms(value).some((path) => isOwn(path, folders, home));
  });
}

/** What entering a conda environment runs: conda itself, its script, and scripts of an environment given by its folder. */
function listPrograms(value: Exclude<Activation | CondaUse | CondaHook, { shell: string }>): string[] {
  if ("venv" in value) return []; // nothing of it is run to enter it
  const environment = "env" in value && value.env.includes("/") ? [value.env] : [];
  return [value.conda ?? [], value.script ?? [], environment].flat();
}

function isOwn(path: string, folders: readonly string[], home: string): boolean {
  if (home !== "~") return isProjectFile(path, folders, home);
  return (
    !/^[~/]/.test(path) ||
    path.includes("/../") ||
    folders.some((folder) => path.startsWith(`${folder.replace(/\/+$/, "")}/`))
  );
}

function describeLine({ line, label, text }: KeyValue): UntrustedLine {
  return { line, text: `${label}: ${text}` };
}
