import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { SortieError } from "../../../base/error.ts";
import { type HandlerSpec, parseHandlerSpec } from "../../../handlers/handler-spec.ts";
import type { SendList } from "../../../sync/send/send-list.ts";
import type { FleetRunner } from "../fleet.ts";

export interface ProjectPlace {
  /** Where the agents start, at home. */
  readonly cwd: string;
  /** The folder at home that is sent. */
  readonly projectFolder: string;
}

/**
 * A runner as it is named on another host: from the folder that the agents start in, since of this machine only the
 * project's folder gets there. @throws fleet_runner_elsewhere
 */
export function placeRunner(runner: FleetRunner, place: ProjectPlace): FleetRunner {
  if (runner.kind === "script") {
    checkWithin(runner.path, place);
    const path = relative(place.cwd, runner.path);
    return { ...runner, path: path.startsWith(".") ? path : `./${path}` };
  }
  const spec = parseHandlerSpec(runner.handler, place.cwd);
  checkWithin(findOwnPath(spec), place);
  return { ...runner, handler: nameHandler(spec, place.cwd) };
}

/** @throws fleet_runner_unsent where something of the runner lies here and is not among the files that are sent */
export function checkRunnerIsSent(runner: FleetRunner, place: ProjectPlace, { files }: SendList): void {
  const path = findPath(runner, place.cwd);
  if (path === null) return;
  const name = relative(place.projectFolder, path);
  const isSent = files.some((file) => {
    const sent = file.path.toString();
    return sent === name || sent.startsWith(`${name}/`);
  });
  if (!isSent) throw new SortieError("fleet_runner_unsent", { path: name, folder: place.projectFolder });
}

function checkWithin(path: string, { projectFolder }: ProjectPlace): void {
  if (relative(projectFolder, path).split(sep)[0] !== "..") return;
  throw new SortieError("fleet_runner_elsewhere", { path, folder: projectFolder });
}

function findOwnPath(spec: HandlerSpec): string {
  return spec.file ?? (spec.language === "python" ? spec.folder : "");
}

/** As a person would write it in `cwd`. */
function nameHandler(spec: HandlerSpec, cwd: string): string {
  if (spec.file !== undefined) return [relative(cwd, spec.file), spec.name].filter(Boolean).join(":");
  return spec.language === "python" ? `${join(relative(cwd, spec.folder), spec.module)}:${spec.name}` : "";
}

/** What must be sent; null: a module that is not here, and may be installed there. */
function findPath(runner: FleetRunner, cwd: string): string | null {
  if (runner.kind === "script") return join(cwd, runner.path);
  const spec = parseHandlerSpec(runner.handler, cwd);
  if (spec.file !== undefined || spec.language !== "python") return spec.file ?? null;
  const module = join(spec.folder, spec.module.split(".")[0] ?? "");
  return [`${module}.py`, module].find((path) => existsSync(path)) ?? null;
}
