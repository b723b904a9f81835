import { relative } from "node:path";
import { join } from "node:path/posix";
import { SortieError } from "../base/error.ts";
import { listProjectFolders } from "../config/project-folders.ts";
import { findPersonalHome } from "../disk/home.ts";
import type { RunRequest } from "../runs/run-record.ts";
import type { ChosenTarget } from "./choose-target.ts";
import type { Desk } from "./desk.ts";

/** Where a run is started, in its host's own paths: absolute, or from `~/` on. */
export interface RunPlace {
  readonly folder: string;
  /** What `~/` stands for in a target's section. */
  readonly home: string;
  /** Folders that came with the project. */
  readonly project: readonly string[];
  /** Where the project's code lies on another host. */
  readonly codeDir?: string;
}

/**
 * On this machine the folder of the request. On another host the code folder, and below it what the request's folder is
 * below the project's. @throws code_dir_missing
 */
export function findRunPlace(
  desk: Pick<Desk, "env">,
  { cwd }: Pick<RunRequest, "cwd">,
  { section, ssh, projectFolder }: ChosenTarget,
): RunPlace {
  if (ssh === null) {
    const home = findPersonalHome(desk.env);
    return { folder: cwd, home, project: listProjectFolders({ cwd, home }, section.source.file) };
  }
  const codeDir = findRemoteCodeDir(section);
  return { folder: join(codeDir, relative(projectFolder, cwd)), home: "~", project: [codeDir], codeDir };
}

/** Where the project's code lies on its host: absolute, or from `~/` on. @throws code_dir_missing */
export function findRemoteCodeDir({ codeDir, name, source }: ChosenTarget["section"]): string {
  if (codeDir === undefined) throw new SortieError("code_dir_missing", { target: name, file: source.file });
  const trimmed = codeDir.replace(/(?<=.)\/+$/, "");
  return /^[~/]/.test(trimmed) ? trimmed : `~/${trimmed}`;
}

/** Whether a run takes GPUs, or leaves it to Sortie. */
export function wantsGpus({ gpus, gpu }: Pick<RunRequest, "gpus" | "gpu">): boolean {
  return gpus !== "none" || gpu.length > 0;
}
