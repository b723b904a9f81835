import { join, resolve } from "node:path";
import { SortieError } from "../../base/error.ts";
import { makeToken } from "../../base/ids.ts";
import { listProjectFolders } from "../../config/project-folders.ts";
import { findHome, findPersonalHome } from "../../disk/home.ts";
import { checkEnvironment } from "../../env/check-environment.ts";
import { loadActivated } from "../../env/load-activated.ts";
import { findProgram } from "../../process/find-program.ts";
import type { Runner } from "../../process/runner.ts";
import { chooseEnvironment } from "../choose-environment.ts";
import { chooseTargetFor } from "../choose-target.ts";
import type { Environment } from "../desk.ts";

/** The Python that serves a handler. */
export interface Interpreter {
  /** Its path. */
  readonly program: string;
  /** Why this one, for the log. */
  readonly said: string;
  /** What it runs in. */
  readonly env: Environment;
}

export interface InterpreterPlace {
  readonly env: Environment;
  readonly cwd: string;
  readonly runner: Runner;
  readonly signal?: AbortSignal;
}

/**
 * The interpreter that was named, else the one of the environment that is entered (`$VIRTUAL_ENV`, `$CONDA_PREFIX`), else
 * of the environment that the project's local section names, else `python3`. What was asked for and is not there is no
 * reason to take another. @throws SortieError `interpreter_missing`, `trust_needed`, `environment_missing`, `config_bad` …
 */
export async function chooseInterpreter(
  named: string | undefined,
  place: InterpreterPlace,
): Promise<Interpreter> {
  const { env, cwd } = place;
  if (named !== undefined) return findInterpreter(named, "--python", place);
  if (env["VIRTUAL_ENV"])
    return findInterpreter(join(env["VIRTUAL_ENV"], "bin", "python"), "of $VIRTUAL_ENV", place);
  const conda = env["CONDA_PREFIX"] && resolve(cwd, env["CONDA_PREFIX"], "bin", "python");
  // An environment of conda may be without Python.
  if (conda && findProgram(conda, env)) return { program: conda, said: "of $CONDA_PREFIX", env };
  return (await findOfSection(place)) ?? findInterpreter("python3", "on PATH", place);
}

/** One by its name or path. @throws SortieError `interpreter_missing` */
export function findInterpreter(
  name: string,
  said: string,
  { env, cwd }: Pick<InterpreterPlace, "env" | "cwd">,
): Interpreter {
  const program = name.includes("/") ? resolve(cwd, name) : name;
  const found = findProgram(program, env);
  if (name === "" || found === null)
    throw new SortieError("interpreter_missing", { program: name || "“”", said });
  return { program: found, said, env };
}

/** null where no section of the project is about this machine, or it leaves the environment as it is. */
async function findOfSection({ env, cwd, runner, signal }: InterpreterPlace): Promise<Interpreter | null> {
  const choice = await chooseTargetFor({ env, home: findHome(env) }, { cwd, wanted: "local" });
  if ("trust" in choice) throw new SortieError("trust_needed", { file: choice.trust.file });
  const { section } = choice.target;
  const place = { cwd: choice.target.settings.codeDir ?? cwd, home: findPersonalHome(env) };
  const request = chooseEnvironment(section, place);
  if (request.kind === "caller") return null;
  const project = listProjectFolders(place, section.source.file);
  const checked = await checkEnvironment(runner, request, { token: makeToken(), env, cwd, project, signal });
  if (checked.python === null) return null;
  const { activation, python } = checked;
  const said = `of ${activation.label}, as ${section.source.file} says`;
  return {
    program: python.path,
    said,
    env: await loadActivated(runner, activation, { env, cwd, python: python.path }),
  };
}
