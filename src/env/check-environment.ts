import { SortieError } from "../base/error.ts";
import { quoteShell } from "../base/quote.ts";
import { makeSettings, readAnswer } from "../base/script.ts";
import type { Runner } from "../process/runner.ts";
import { type Activation, type EnvironmentRequest, makeActivation } from "./activation.ts";
import checkScript from "./scripts/check-environment.sh";

const TIMEOUT_MS = 60_000;

export interface CheckedEnvironment {
  readonly activation: Activation;
  /** null: the environment has no Python, which a run may not need. */
  readonly python: { readonly path: string; readonly version: string | null } | null;
}

/** Enters the environment on its host, once; tells the Python that `command` names, else its usual one. @throws environment_missing with what to do */
export async function checkEnvironment(
  runner: Runner,
  request: EnvironmentRequest,
  options: { token: string; command?: readonly string[]; env?: Readonly<Record<string, string | undefined>> },
): Promise<CheckedEnvironment> {
  const planned = makeActivation(request, null);
  const outcome = await runner.run([planned.shell, "-s"], {
    stdin: makeScript(request, planned, options),
    env: options.env,
    timeoutMs: TIMEOUT_MS,
  });
  const lines = readAnswer(outcome.stdout, options.token);
  if (!lines)
    throw refuse(request, outcome.timedOut ? "it took over a minute" : "the check did not come to its end");
  const values = Object.fromEntries(lines);
  if (values["fault"] !== undefined) throw refuse(request, values["fault"]);
  return {
    activation: makeActivation(request, values["conda"] ?? null),
    python: values["python"] ? { path: values["python"], version: values["version"] || null } : null,
  };
}

function makeScript(
  request: EnvironmentRequest,
  planned: Activation,
  { token, command }: { token: string; command?: readonly string[] },
): string {
  const mustFind = request.kind === "conda" && request.script === null;
  // The program is found by the script itself; the lines of a run name it.
  const lines = mustFind
    ? [`hook=$("$sortie_conda" shell.bash hook) && eval "$hook"`, ...planned.lines.slice(1)]
    : planned.lines;
  const program = findProgram(request);
  const exists = program === null ? [] : [`test -x ${quoteShell(program)}`];
  return [
    makeSettings({
      sortie_token: token,
      sortie_conda_wanted: mustFind ? "yes" : "",
      sortie_conda: (mustFind && request.conda) || "",
      sortie_python: findPython(command ?? []),
    }),
    "activate() {",
    [...exists, ...lines, "true"].map((line) => `  { ${line}\n  }`).join(" &&\n"),
    "}",
    checkScript,
  ].join("\n");
}

/** The interpreter that must be there for the environment to be one. */
function findProgram(request: EnvironmentRequest): string | null {
  if (request.kind === "venv") return `${request.path}/bin/python`;
  return request.kind === "python" ? request.path : null;
}

/** The interpreter that a command names as its program; empty: none. */
function findPython([program = ""]: readonly string[]): string {
  return /(^|\/)python[\d.]*$/.test(program) ? program : "";
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
  const reason = fault || "its Python is not there";
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
      return "Correct the path of `python` in the section.";
    default:
      return "Correct the activation line in the section; it is run by bash.";
  }
}
