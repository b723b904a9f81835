import { SortieError } from "../base/error.ts";
import { makeToken } from "../base/ids.ts";
import { quoteCommand } from "../base/quote.ts";
import { isEachValue, isText, parseJson } from "../base/shape.ts";
import type { Runner } from "../process/runner.ts";
import type { Activation } from "./activation.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const TIMEOUT_MS = 60_000;
const PRINT = "import json, os; print(json.dumps(dict(os.environ)))";
const isVariables = isEachValue<string>(isText);

/**
 * The variables of an environment that was entered, as its Python has them: libraries are found by them, not by the
 * interpreter's path alone. @throws SortieError `environment_missing`
 */
export async function loadActivated(
  runner: Runner,
  { lines, shell, label }: Activation,
  { env, cwd, python }: { env: Variables; cwd: string; python: string },
): Promise<Variables> {
  const token = makeToken();
  const enter = lines.map((line) => `{ ${line}\n} >/dev/null </dev/null || exit`);
  const print = `echo ${token}; exec ${quoteCommand([python, "-I", "-S", "-c", PRINT])}`;
  const outcome = await runner.run([shell, "-s"], {
    stdin: [...enter, print, ""].join("\n"),
    env,
    cwd,
    timeoutMs: TIMEOUT_MS,
  });
  const printed = outcome.stdout.split(`${token}\n`)[1];
  const variables = parseJson(printed ?? "", isVariables);
  if (variables !== null) return variables;
  throw new SortieError("environment_missing", {
    environment: label,
    reason: outcome.stderr.trimEnd().split("\n").at(-1) || "it could not be entered",
    advice: "Correct it in the section, or name an interpreter with --python.",
  });
}
