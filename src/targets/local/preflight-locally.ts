import { statSync } from "node:fs";
import { makeToken } from "../../base/ids.ts";
import { isProjectFile } from "../../config/project-folders.ts";
import { findPersonalHome } from "../../disk/home.ts";
import type { EnvironmentStatus } from "../../env/build/environment-status.ts";
import { loadStatus } from "../../env/build/load-status.ts";
import { type CheckedEnvironment, checkEnvironment } from "../../env/check-environment.ts";
import { makeLocalHost } from "../../env/env-host.ts";
import {
  makeWandbProbe,
  readWandbFacts,
  type WandbFacts,
  type WandbQuestion,
} from "../../env/wandb/probe-wandb.ts";
import type { Runner } from "../../process/runner.ts";
import type { ContractQuestion, Preflight, PreflightRequest, Target } from "../target.ts";
import { listMissing } from "./list-missing.ts";

/** Its parts have limits of their own. */
const WANDB_MS = 30_000;

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
  const contract = request.contract ? await askContract(request, { runner, env, environment }) : null;
  const wandb = request.wandb ? await askWandb(request, { runner, env, environment }) : null;
  const isFolderThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return { jobDir, folder, isFolderThere, environment, gpus, contract, wandb, missing, server: null };
}

function askContract(
  { contract, project }: PreflightRequest,
  { runner, env, environment }: Pick<Means, "runner" | "env"> & { environment: CheckedEnvironment | null },
): Promise<EnvironmentStatus> {
  const { isOwn, ...wanted } = contract as ContractQuestion;
  const own = isOwn ? (environment?.python?.path ?? null) : null;
  return loadStatus(makeLocalHost(runner, env), { ...wanted, own, project });
}

async function askWandb(
  { wandb, project }: PreflightRequest,
  { runner, env, environment }: Pick<Means, "runner" | "env"> & { environment: CheckedEnvironment | null },
): Promise<WandbFacts> {
  const token = makeToken();
  const python = environment?.python?.path ?? null;
  const stdin = makeWandbProbe({ ...(wandb as WandbQuestion), token, python, project });
  const { stdout } = await runner.run(["sh", "-s"], { stdin, env, timeoutMs: WANDB_MS });
  return readWandbFacts(stdout, token);
}

/** The project's own interpreter is not run before its plan is confirmed. */
function findRunnablePython(
  { python }: CheckedEnvironment,
  project: readonly string[],
  home: string,
): string[] | null {
  return python && !isProjectFile(python.path, project, home) ? [python.path] : null;
}
