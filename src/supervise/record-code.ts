import { fstatSync, realpathSync } from "node:fs";
import { escapeGlob } from "../base/globs.ts";
import type { RunRequest } from "../runs/run-record.ts";
import { loadProvenance, type Provenance } from "../sync/provenance.ts";
import type { Rewrite } from "../sync/rewrite.ts";
import type { Desk } from "./desk.ts";

/** Logs that programs write beside their code; where git tracks them they count as code all the same. */
const USUAL_OUTPUTS = ["**/*.log", "**/nohup.out", "**/slurm-*.out", "**/wandb/**", "**/.aris/compute/**"];

export interface CodePlaces {
  readonly objectsDir: string;
  /** Files that Sortie's own output goes to. */
  readonly ownFiles: readonly string[];
  /** One of the files as it will be. */
  readonly rewrite?: Rewrite | null;
}

/**
 * The code that a run would use, as it lies there now. What runs and Sortie itself write is not code, nor are the files
 * that variables were read from.
 */
export function recordCode(desk: Desk, request: RunRequest, places: CodePlaces): Promise<Provenance> {
  const { resultsTo } = request;
  const written = [realpathSync(desk.home.root), ...(resultsTo ? [resultsTo] : []), ...places.ownFiles];
  return loadProvenance(desk.runner, {
    folder: request.cwd,
    outputs: [...request.results, ...USUAL_OUTPUTS, ...written.map(escapeGlob)],
    secrets: request.envFiles.flatMap(findRealPath),
    objectsDir: places.objectsDir,
    rewrite: places.rewrite ?? null,
    env: desk.env,
  });
}

/** Files that this process writes its output to, as in `sortie run … >plan.json`: they come with the command. */
export function findOwnFiles(): string[] {
  return [1, 2]
    .filter((descriptor) => fstatSync(descriptor).isFile())
    .flatMap((descriptor) => findRealPath(`/proc/self/fd/${descriptor}`));
}

/** Empty where it has gone, or (on macOS) where the path cannot be told. */
function findRealPath(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return []; // what cannot be found cannot be recorded either
  }
}
