import { type Activation, type CondaByShell, type CondaHook, type CondaUse, findCondaIn } from "./conda.ts";
import type { KeyName } from "./keys/table.ts";
import type { IssueText } from "./section-values.ts";
import type { KeyValue, Target } from "./target.ts";

type EnvironmentFields = Pick<Target, "conda" | "venv" | "activate">;

/** The environment out of `Conda`, `Conda env`, `conda_hook` and `Activate`, which people mix freely. */
export function combineConda(values: ReadonlyMap<KeyName, KeyValue>): {
  fields: EnvironmentFields;
  errors: IssueText[];
} {
  const errors: IssueText[] = [];
  const activation = values.get("activate");
  const activated = activation?.value as Activation | undefined;
  const uses = [values.get("conda_env"), values.get("conda"), isConda(activated) ? activation : undefined];
  const named = uses.filter((use) => use !== undefined);
  const conda = named.length === 0 ? undefined : joinUses(named, values.get("conda_hook"), errors);
  const fields: EnvironmentFields = { ...(conda ? { conda } : {}) };
  if (activated === undefined || isConda(activated))
    return { fields, errors: [...errors, ...checkHook(values, conda)] };
  if ("venv" in activated) return { fields: { ...fields, venv: activated.venv }, errors };
  return { fields: { ...fields, activate: { shell: (activated as CondaByShell).shell } }, errors };
}

function isConda(activated: Activation | undefined): activated is CondaUse & { env: string } {
  return activated !== undefined && "env" in activated;
}

/** The first use that names an environment gives it; the others may say how conda is found. */
function joinUses(uses: readonly KeyValue[], hookKey: KeyValue | undefined, errors: IssueText[]): CondaUse {
  const [first, ...others] = uses as [KeyValue, ...KeyValue[]];
  let use = first.value as CondaUse;
  for (const other of others) use = addUse(use, other, first, errors);
  const hook = hookKey?.value as CondaHook | undefined;
  if (hook === undefined) return use;
  if ("shell" in use) return use;
  if ("shell" in hook) return { shell: hook.shell, env: use.env, ...(use.note ? { note: use.note } : {}) };
  return { ...use, conda: use.conda ?? hook.conda, ...(hook.script ? { script: hook.script } : {}) };
}

function addUse(use: CondaUse, other: KeyValue, first: KeyValue, errors: IssueText[]): CondaUse {
  const more = other.value as CondaUse;
  const note = use.note ?? more.note;
  const noted = note === undefined ? use : { ...use, note };
  if ("shell" in more || "shell" in use) {
    const shell = "shell" in use ? use.shell : (more as { shell: string }).shell;
    const env = use.env ?? more.env;
    return { shell, ...(env ? { env } : {}), ...(note ? { note } : {}) };
  }
  if (more.env === use.env) return { ...noted, conda: use.conda ?? more.conda } as CondaUse;
  // `Conda: /opt/conda` beside `Conda env: ml` says where conda is.
  if (/^[~/]/.test(more.env) && more.conda === null)
    return { ...noted, conda: findCondaIn(more.env) } as CondaUse;
  const message = `${other.label} names another environment than ${first.label} in line ${first.line}`;
  errors.push({ line: other.line, key: other.label, message, nearest: null });
  return noted;
}

/** A hook alone activates nothing. */
function checkHook(values: ReadonlyMap<KeyName, KeyValue>, conda: CondaUse | undefined): IssueText[] {
  const hook = values.get("conda_hook");
  if (hook === undefined || conda !== undefined) return [];
  const message = `${hook.label} needs a key Conda env beside it, which names the environment`;
  return [{ line: hook.line, key: hook.label, message, nearest: null }];
}
