import { SortieError } from "../base/error.ts";
import { quotePath } from "../base/quote.ts";
import { makeSettings, readAnswer } from "../base/script.ts";
import type { Outcome, Runner } from "../process/runner.ts";
import { type Activation, type EnvironmentRequest, makeActivation } from "./activation.ts";
import checkScript from "./scripts/check-environment.sh";

/** What a check may take. */
export const CHECK_TIMEOUT_MS = 60_000;

export interface CheckedEnvironment {
  readonly activation: Activation;
  /** null: the environment has no Python, which a run may not need. */
  readonly python: { readonly path: string; readonly version: string | null } | null;
  /** What `python` and `python3` in the command stand for; null: whatever the environment calls so. */
  readonly interpreter: string | null;
}

export interface CheckTerms {
  readonly token: string;
  readonly command?: readonly string[];
  /** Folders whose interpreters are looked at, never run. */
  readonly project?: readonly string[];
}

export interface CheckOptions extends CheckTerms {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The folder that the run starts in. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

/** What a check printed on its host, and said on stderr. */
export type CheckOutcome = Pick<Outcome, "stdout" | "stderr" | "timedOut" | "notStarted">;

/**
 * Enters the environment on its host, once; tells the Python that `command` names, else its usual one.
 * @throws environment_missing with what to do, tool_missing where the host has no bash
 */
export async function checkEnvironment(
  runner: Runner,
  request: EnvironmentRequest,
  options: CheckOptions,
): Promise<CheckedEnvironment> {
  const { shell, text } = makeCheckScript(request, options);
  const outcome = await runner.run([shell, "-s"], {
    stdin: text,
    env: options.env,
    cwd: options.cwd,
    timeoutMs: CHECK_TIMEOUT_MS,
    signal: options.signal,
  });
  return readCheckedEnvironment(request, options, { ...outcome, host: runner.host });
}

/** The script of a check, for `SHELL -s` in the folder that the run starts in. */
export function makeCheckScript(
  request: EnvironmentRequest,
  { token, command, project = [] }: CheckTerms,
): { shell: Activation["shell"]; text: string } {
  const planned = makeActivation(request, null);
  const mustFind = request.kind === "conda" && request.script === null;
  // The program is found by the script itself; the lines of a run name it.
  const lines = mustFind
    ? [`hook=$("$sortie_conda" shell.bash hook) && eval "$hook"`, ...planned.lines.slice(1)]
    : planned.lines;
  const settings = makeSettings({
    sortie_token: token,
    sortie_conda_wanted: mustFind ? "yes" : "",
    sortie_command: request.kind === "python" && !namesOther(command) ? "" : findPython(command),
  });
  const paths = makePathSettings({
    sortie_conda: mustFind && request.conda ? [request.conda] : [],
    sortie_python: findProgram(request),
    sortie_project: project,
  });
  const steps = [...lines, "true"].map((line) => `  { ${line}\n  }`).join(" &&\n");
  const text = [settings, paths, "activate() {", steps, "}", checkScript].join("\n");
  return { shell: planned.shell, text };
}

/** Each a list of paths on the host, a line each. */
function makePathSettings(settings: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(settings)
    .map(([name, paths]) => `${name}=${paths.map(quotePath).join("'\n'")}\n`)
    .join("");
}

/** Reads what the script of the same request and terms printed. @throws as `checkEnvironment` */
export function readCheckedEnvironment(
  request: EnvironmentRequest,
  { token, command }: CheckTerms,
  outcome: CheckOutcome & { readonly host: string },
): CheckedEnvironment {
  if (outcome.notStarted) throw refuseShell(outcome.host, makeActivation(request));
  const values = Object.fromEntries(readAnswer(outcome.stdout, token) ?? [["fault", findFault(outcome)]]);
  if (values["fault"] !== undefined) throw refuse(request, values["fault"]);
  if (values["failed_with"] !== undefined) {
    throw refuse(request, findLastLine(outcome.stderr) ?? `it ended with code ${values["failed_with"]}`);
  }
  const python = values["python"] ? { path: values["python"], version: values["version"] || null } : null;
  return {
    activation: makeActivation(request, values["conda"] ?? null),
    python,
    interpreter: request.kind === "python" && !namesOther(command) ? (python?.path ?? null) : null,
  };
}

function findFault({ timedOut, stderr }: CheckOutcome): string {
  if (timedOut) return "it took over a minute";
  return findLastLine(stderr) ?? "the check did not come to its end";
}

function findLastLine(text: string): string | null {
  return text.trimEnd().split("\n").at(-1)?.trim() || null;
}

/** The interpreter that must be there for the environment to be one. */
function findProgram(request: EnvironmentRequest): string[] {
  if (request.kind === "venv") return [`${request.path}/bin/python`];
  return request.kind === "python" ? [request.path] : [];
}

/** The interpreter that a command names as its program; empty: none. */
function findPython([program = ""]: readonly string[] = []): string {
  return /(^|\/)python[\d.]*$/.test(program) ? program : "";
}

/** Whether a command names an interpreter of its own choice. */
function namesOther(command: readonly string[] | undefined): boolean {
  return !["", "python", "python3"].includes(findPython(command));
}

function refuseShell(host: string, { shell, label }: Activation): SortieError {
  const advice = `Install it: ${label} is entered by ${shell}.`;
  return new SortieError("tool_missing", { tool: shell, host, advice });
}

function refuse(request: EnvironmentRequest, fault: string): SortieError {
  const environment = makeActivation(request).label;
  if (fault === "no_conda") {
    const reason =
      request.kind === "conda" && request.conda ? `${request.conda} is not there` : "conda was not found";
    const advice =
      'Install it, or name its program in the section: - Conda: `eval "$(/path/to/conda shell.bash hook)" && conda activate NAME`';
    return new SortieError("environment_missing", { environment, reason, advice });
  }
  const reason = fault === "no_python" ? "its Python is not there" : fault;
  return new SortieError("environment_missing", { environment, reason, advice: adviseOn(request) });
}

function adviseOn(request: EnvironmentRequest): string {
  switch (request.kind) {
    case "conda":
      return `Make it with \`conda create -n ${request.name} python\`, or correct its name in the section; \`conda env list\` shows what there is.`;
    case "venv":
      return request.madeBy === "uv"
        ? "Make it with `uv sync` in the project."
        : `Make it with \`python3 -m venv ${quotePath(request.path)}\`, or correct its path in the section.`;
    case "python":
      return "Install it, or correct `python` in the section: a name that is found on PATH, or a path.";
    default:
      return "Correct the activation line in the section; it is run by bash.";
  }
}
