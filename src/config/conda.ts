/** A conda environment known by name: everything here is data, nothing is shell text. */
export interface CondaByName {
  readonly env: string;
  /** The program `conda`, if the section says where it is; `~/` stands for the home folder on the host. */
  readonly conda: string | null;
  /** A `conda.sh` in an unusual place, to be sourced before `conda activate`. */
  readonly script?: string;
  readonly note?: string;
}

/** Shell text of the person's own, run only once trusted; then `env` is activated, if there is one. */
export interface CondaByShell {
  readonly shell: string;
  readonly env?: string;
  readonly note?: string;
}

export type CondaUse = CondaByName | CondaByShell;

/** How conda is found: what stands before `conda activate`. */
export type CondaHook =
  | { readonly conda: string | null; readonly script?: string }
  | { readonly shell: string };

/** An activation command: conda's, a virtual environment's, or other shell text. */
export type Activation = CondaUse | { readonly venv: string };

const PATH = String.raw`(?:(?:~|\$HOME|\$\{HOME\})/)?[\p{L}\p{N}_./][\p{L}\p{N}_./+@=-]*`;
const HOOK = new RegExp(
  String.raw`^eval\s+(?:"\$\(\s*(${PATH})\s+shell\.(?:bash|posix)\s+hook\s*\)"|\$\(\s*(${PATH})\s+shell\.(?:bash|posix)\s+hook\s*\))$`,
  "u",
);
const SOURCE = new RegExp(String.raw`^(?:source|\.)\s+(["']?)(${PATH}/conda\.sh)\1$`, "u");
const ACTIVATE = new RegExp(String.raw`^conda\s+activate\s+(["']?)(${PATH})\1$`, "u");
const NAME = new RegExp(String.raw`^(${PATH})(?:\s+(\(.*\)))?$`, "u");
const VENV = new RegExp(String.raw`^(?:source|\.)\s+(["']?)(${PATH})/bin/activate\1$`, "u");

/**
 * Reads `N`, `conda activate N`, `eval "$(PATH/conda shell.bash hook)" && conda activate N` and
 * `source …/conda.sh && conda activate N` as data; anything else is kept as shell text.
 */
export function parseConda(text: string, note: string | null): CondaUse {
  const more = note === null ? {} : { note };
  const name = NAME.exec(text);
  if (name)
    return {
      env: expandHome(name[1] as string),
      conda: null,
      ...more,
      ...(name[2] ? { note: name[2] } : {}),
    };
  const steps = text.split(/\s*(?:&&|;)\s*/).filter((step) => step !== "");
  const env = ACTIVATE.exec(steps.at(-1) ?? "")?.[2];
  if (env === undefined || steps.length > 2) return { shell: text, ...more };
  if (steps.length === 1) return { env: expandHome(env), conda: null, ...more };
  const hook = parseCondaHook(steps[0] as string);
  if ("shell" in hook) return { shell: text, ...more };
  const script = hook.script === undefined ? {} : { script: hook.script };
  return { env: expandHome(env), conda: hook.conda, ...script, ...more };
}

/** Reads the line that makes conda known to a shell, or the path of conda, as data. */
export function parseCondaHook(text: string): CondaHook {
  const hook = HOOK.exec(text);
  const program = hook?.[1] ?? hook?.[2];
  if (program !== undefined && /(?:^|\/)conda$/.test(program)) {
    return { conda: program === "conda" ? null : expandHome(program) };
  }
  const script = SOURCE.exec(text)?.[2];
  if (script !== undefined) return findCondaOfScript(expandHome(script));
  if (new RegExp(`^${PATH}$`, "u").test(text)) return { conda: findCondaIn(expandHome(text)) };
  return { shell: text };
}

/** Reads an activation command: a conda form, `source PATH/bin/activate`, or other shell text. */
export function parseActivation(text: string, note: string | null): Activation {
  const venv = VENV.exec(text)?.[2];
  return venv === undefined ? parseConda(text, note) : { venv: expandHome(venv) };
}

/** The folder of a virtual environment, named itself, by its script or by the command that sources it. */
export function parseVenv(text: string): string {
  return expandHome(VENV.exec(text)?.[2] ?? text.replace(/\/bin\/activate$/, ""));
}

/** The program where people name it, its folder, or the folder of the installation. */
export function findCondaIn(path: string): string {
  const folder = path.replace(/\/+$/, "");
  if (/\/(?:bin|condabin)\/conda$/.test(folder)) return folder;
  return /\/(?:bin|condabin)$/.test(folder) ? `${folder}/conda` : `${folder}/bin/conda`;
}

/** An installation keeps `etc/profile.d/conda.sh` beside `bin/conda`. */
function findCondaOfScript(script: string): CondaHook {
  const root = /^(.*)\/etc\/profile\.d\/conda\.sh$/.exec(script)?.[1];
  return root === undefined ? { conda: null, script } : { conda: `${root}/bin/conda` };
}

function expandHome(path: string): string {
  return path.replace(/^(?:\$HOME|\$\{HOME\})(?=\/|$)/, "~");
}
