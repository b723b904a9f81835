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
}

export function findRunPlace(
  desk: Pick<Desk, "env">,
  { cwd }: RunRequest,
  { section }: ChosenTarget,
): RunPlace {
  const home = findPersonalHome(desk.env);
  return { folder: cwd, home, project: listProjectFolders({ cwd, home }, section.source.file) };
}

/** Whether a run takes GPUs, or leaves it to Sortie. */
export function wantsGpus({ gpus, gpu }: Pick<RunRequest, "gpus" | "gpu">): boolean {
  return gpus !== "none" || gpu.length > 0;
}
