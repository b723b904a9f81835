import { statSync } from "node:fs";
import { makeToken } from "../../base/ids.ts";
import { isProjectFile } from "../../config/project-folders.ts";
import { findPersonalHome } from "../../disk/home.ts";
import { type CheckedEnvironment, checkEnvironment } from "../../env/check-environment.ts";
import type { Runner } from "../../process/runner.ts";
import type { Preflight, PreflightRequest, Target } from "../target.ts";
import { listMissing } from "./list-missing.ts";

interface Means {
  readonly runner: Runner;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly jobDir: string;
  readonly loadGpus: Target["loadGpus"];
}

/** Looks at everything that a run on this machine needs. */
export async function preflightLocally(
  request: PreflightRequest,
  { runner, env, jobDir, loadGpus }: Means,
): Promise<Preflight> {
  const { folder, command, project, inputs } = request;
  const home = findPersonalHome(env);
  const missing = listMissing(inputs, { cwd: folder, home });
  const environment =
    request.environment &&
    (await checkEnvironment(runner, request.environment, {
      token: makeToken(),
      ...{ command, env, cwd: folder, project },
    }));
  const python = environment && findRunnablePython(environment, project, home);
  const gpus = request.gpus ? await loadGpus({ python }) : null;
  const isFolderThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return { jobDir, folder, isFolderThere, environment, gpus, missing, server: null };
}

/** The project's own interpreter is not run before its plan is confirmed. */
function findRunnablePython(
  { python }: CheckedEnvironment,
  project: readonly string[],
  home: string,
): string[] | null {
  return python && !isProjectFile(python.path, project, home) ? [python.path] : null;
}
