import { withoutMarks } from "./run-marks.ts";
import processFunctions from "./scripts/process.sh";
import supervisor from "./scripts/run.sh";
import supervisorEnd from "./scripts/run-end.sh";
import supervisorWatch from "./scripts/run-watch.sh";
import start from "./scripts/start.sh";

/** Handed on as they are: they are only read, and TERM is that of the screen's window. */
const UNTOUCHED: readonly string[] = ["PATH", "TERM"];
const NAME = "([A-Za-z_][A-Za-z0-9_]*)";
const PATTERNS = [`\\$\\{?${NAME}`, `\\b${NAME}=`, `\\bfor ${NAME} in`, `\\bread -r (?:_ )*${NAME}`];

/**
 * The variables of an environment whose names the scripts use themselves, from the start to the command: a shell that
 * sets a variable which it was given hands its own value on. They reach the command by the `env` file instead.
 */
export function pickShadowed(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const names = listScriptNames();
  return Object.fromEntries(Object.entries(withoutMarks(env)).filter(([name]) => names.has(name)));
}

function listScriptNames(): Set<string> {
  const text = [processFunctions, start, supervisor, supervisorWatch, supervisorEnd].join("\n");
  const found = PATTERNS.flatMap((pattern) => [...text.matchAll(new RegExp(pattern, "g"))]);
  const names = new Set(found.map((match) => match[1] as string));
  for (const name of UNTOUCHED) names.delete(name);
  return names;
}
