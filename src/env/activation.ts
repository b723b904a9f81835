import { quotePath, quoteShell } from "../base/quote.ts";

/**
 * The environment that a run asks for, as read from the configuration; nothing of it is shell text but `shell`. Paths
 * are those of its host: absolute, or from `~/` on.
 */
export type EnvironmentRequest =
  | { readonly kind: "caller" }
  | {
      readonly kind: "conda";
      readonly name: string;
      /** The program; null: it is looked for. */
      readonly conda: string | null;
      /** A `conda.sh` that is sourced instead of asking the program. */
      readonly script: string | null;
    }
  | { readonly kind: "venv"; readonly path: string; readonly madeBy: "venv" | "uv" }
  /** A path, or a name that is found on PATH. */
  | { readonly kind: "python"; readonly path: string }
  | {
      readonly kind: "shell";
      readonly text: string;
      /** A conda environment that is activated after the text. */
      readonly conda: string | null;
    };

export interface Activation {
  /** Shell lines for `job.sh`; each must succeed. */
  readonly lines: readonly string[];
  /** conda's hook is written for bash; other people's shell text may be too. */
  readonly shell: "sh" | "bash";
  /** For people: `conda research`, `venv .venv`. */
  readonly label: string;
}

/**
 * How a shell enters the environment. Never `conda run` around the command: it holds the output back and changes
 * signals. `conda` is the program's path, found by the check where the configuration names none.
 */
export function makeActivation(request: EnvironmentRequest, conda: string | null = null): Activation {
  switch (request.kind) {
    case "caller":
      return { lines: [], shell: "sh", label: "as you have it" };
    case "venv":
      return {
        lines: [
          `export VIRTUAL_ENV=${quotePath(request.path)}`,
          'export PATH="$VIRTUAL_ENV/bin:$PATH"',
          "unset PYTHONHOME",
        ],
        shell: "sh",
        label: `${request.madeBy} ${request.path}`,
      };
    case "conda":
      return {
        lines: [makeHook(request, conda), `conda activate ${quotePath(request.name)}`],
        shell: "bash",
        label: `conda ${request.name}`,
      };
    case "python":
      return {
        // A name is found on PATH already.
        lines: request.path.includes("/")
          ? [`export PATH=${quotePath(request.path.replace(/\/[^/]*$/, ""))}:"$PATH"`]
          : [],
        shell: "sh",
        label: request.path,
      };
    case "shell":
      return {
        lines: [
          request.text,
          ...(request.conda === null ? [] : [`conda activate ${quoteShell(request.conda)}`]),
        ],
        shell: "bash",
        label: "your activation command",
      };
  }
}

function makeHook(request: Extract<EnvironmentRequest, { kind: "conda" }>, found: string | null): string {
  if (request.script !== null) return `. ${quotePath(request.script)}`;
  return `hook=$(${quotePath(request.conda ?? found ?? "conda")} shell.bash hook) && eval "$hook"`;
}
