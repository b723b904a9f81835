import { SortieError } from "../base/error.ts";
import { quoteShell } from "../base/quote.ts";
import { makeSettings, readAnswer } from "../base/script.ts";
import type { Outcome, Runner } from "../process/runner.ts";
import { type Activation, type EnvironmentRequest, makeActivation } from "./activation.ts";
import checkScript from "./scripts/check-environment.sh";

const TIMEOUT_MS = 60_000;

export interface CheckedEnvironment {
  readonly activation: Activation;
  /** null: the environment has no Python, which a run may not need. */
  readonly python: { readonly path: string; readonly version: string | null } | null;
  /** What `python` and `python3` in the command stand for; null: whatever the environment calls so. */
  readonly interpreter: string | null;
}

export interface CheckOptions {
  readonly token: string;
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The folder that the run starts in. */
  readonly cwd?: string;
  /** Folders whose interpreters are looked at, never run. */
  readonly project?: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * Enters the environment on its host, once; tells the Python that `command` names, else its usual one.
 * @throws environment_missing with what to do, tool_missing where the host has no bash
 */
export async function checkEnvironment(
  runner: Runner,
  request: EnvironmentRequest,
  options: CheckOptions,
): Promise<CheckedEnvironment> {
  const planned = makeActivation(request, null);
  const outcome = await runner.run([planned.shell, "-s"], {
    stdin: makeScript(request, planned, options),
    env: options.env,
    cwd: options.cwd,
    timeoutMs: TIMEOUT_MS,
    signal: options.signal,
  });
  if (outcome.notStarted) throw refuseShell(runner, planned);
  const values = Object.fromEntries(
    readAnswer(outcome.stdout, options.token) ?? [["fault", findFault(outcome)]],
  );
  if (values["fault"] !== undefined) throw refuse(request, values["fault"]);
  if (values["failed_with"] !== undefined) {
    throw refuse(request, findLastLine(outcome.stderr) ?? `it ended with code ${values["failed_with"]}`);
  }
  const python = values["python"] ? { path: values["python"], version: values["version"] || null } : null;
  return {
    activation: makeActivation(request, values["conda"] ?? null),
    python,
    interpreter: request.kind === "python" && !namesOther(options.command) ? (python?.path ?? null) : null,
  };
}

function findFault({ timedOut, stderr }: Outcome): string {
  if (timedOut) return "it took over a minute";
  return findLastLine(stderr) ?? "the check did not come to its end";
}

function findLastLine(text: string): string | null {
  return text.trimEnd().split("\n").at(-1)?.trim() || null;
}

function makeScript(
  request: EnvironmentRequest,
  planned: Activation,
  { token, command, project = [] }: CheckOptions,
): string {
  const mustFind = request.kind === "conda" && request.script === null;
  // The program is found by the script itself; the lines of a run name it.
  const lines = mustFind
    ? [`hook=$("$sortie_conda" shell.bash hook) && eval "$hook"`, ...planned.lines.slice(1)]
    : planned.lines;
  const settings = makeSettings({
    sortie_token: token,
    sortie_conda_wanted: mustFind ? "yes" : "",
    sortie_conda: (mustFind && request.conda) || "",
    sortie_python: findProgram(request) ?? "",
    sortie_command: request.kind === "python" && !namesOther(command) ? "" : findPython(command),
    sortie_project: project.join("\n"),
  });
  const steps = [...lines, "true"].map((line) => `  { ${line}\n  }`).join(" &&\n");
  return [settings, "activate() {", steps, "}", checkScript].join("\n");
}

/** The interpreter that must be there for the environment to be one. */
function findProgram(request: EnvironmentRequest): string | null {
  if (request.kind === "venv") return `${request.path}/bin/python`;
  return request.kind === "python" ? request.path : null;
}

/** The interpreter that a command names as its program; empty: none. */
function findPython([program = ""]: readonly string[] = []): string {
  return /(^|\/)python[\d.]*$/.test(program) ? program : "";
}

/** Whether a command names an interpreter of its own choice. */
function namesOther(command: readonly string[] | undefined): boolean {
  return !["", "python", "python3"].includes(findPython(command));
}

function refuseShell(runner: Runner, { shell, label }: Activation): SortieError {
  const advice = `Install it: ${label} is entered by ${shell}.`;
  return new SortieError("tool_missing", { tool: shell, host: runner.host, advice });
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
        : `Make it with \`python3 -m venv ${quoteShell(request.path)}\`, or correct its path in the section.`;
    case "python":
      return "Install it, or correct `python` in the section: a name that is found on PATH, or a path.";
    default:
      return "Correct the activation line in the section; it is run by bash.";
  }
}
